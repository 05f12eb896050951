// The colours of a list's rows, from light to dark, with one text colour for all of them.

const MIDDLE = Math.sqrt(1.05 * 0.05) - 0.05;
const BLACK = [0, 0, 0];
const WHITE = [255, 255, 255];

const bytes = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const hex = (colour) => `#${colour.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
const mix = (from, to, share) => from.map((byte, at) => Math.round(byte + (to[at] - byte) * share));

export function luminance(colour) {
  const [r, g, b] = colour.map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The colours for `count` rows of a list; `on` is the colour of their text. */
export function gradient(list, count, dark) {
  const colour = dark ? mix(bytes(list), BLACK, 0.12) : bytes(list);
  const white = luminance(colour) <= MIDDLE;
  const span = Math.min(7 * (count - 1), 50);
  let down = span;
  let up = 0;
  const top = () => mix(colour, WHITE, 0.009 * up);
  const bottom = () => mix(colour, BLACK, down / 100);
  if (!white) {
    while (down > 0 && luminance(bottom()) < MIDDLE + 0.002) down -= 1;
    up = span - down;
  } else if (luminance(colour) < 0.02) {
    down = 0;
    up = span;
    while (up > 0 && luminance(top()) > MIDDLE - 0.002) up -= 1;
  }
  const rows = Array.from({ length: count }, (_, row) => {
    if (count === 1) return hex(colour);
    const place = (row / (count - 1)) * (up + down);
    if (place <= up && up > 0) return hex(mix(top(), colour, place / up));
    return hex(mix(colour, bottom(), (place - up) / down));
  });
  return { on: white ? "#ffffff" : "#000000", rows };
}
