// The functions for SHA-256 are deprecated in favour of functions that look up each algorithm by its name.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// These functions wrap macros, which Swift cannot import.

static inline int daybook_tls_set_versions(SSL_CTX *context, int lowest, int highest) {
  return SSL_CTX_set_min_proto_version(context, lowest) == 1
    && SSL_CTX_set_max_proto_version(context, highest) == 1;
}

static inline int daybook_tls_set_groups(SSL_CTX *context, const char *groups) {
  return SSL_CTX_set1_groups_list(context, groups) == 1;
}

static inline int daybook_tls_set_signatures(SSL_CTX *context, const char *algorithms) {
  return SSL_CTX_set1_sigalgs_list(context, algorithms) == 1;
}

static inline int daybook_tls_add_certificate(SSL_CTX *context, X509 *certificate) {
  return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

static inline void daybook_tls_cache_nothing(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline void daybook_tls_free_idle_buffers(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

static inline void daybook_tls_limit_certificates(SSL_CTX *context, long bytes) {
  SSL_CTX_set_max_cert_list(context, bytes);
}

// Names the server that a client wants to reach, in the clear.
static inline int daybook_tls_ask_for(SSL *session, const char *host) {
  return SSL_set_tlsext_host_name(session, host) == 1;
}

// The session for which a certificate is checked.
static inline SSL *daybook_tls_session(X509_STORE_CTX *store) {
  return X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
}

// The number of certificates that the other side has sent, including its own.
static inline int daybook_tls_certificate_count(X509_STORE_CTX *store) {
  return sk_X509_num(X509_STORE_CTX_get0_untrusted(store));
}
