"""The book of the tour, made by the program itself: lists, birthdays, questions, a past, two conflicts."""

TODOS = [
    ("Renew the library card", "Home", "normal", "-2d"), ("Send the minutes to Bea", "Work", "high", "today"),
    ("给妈妈打电话", "妈妈家", "high", "today"), ("Call the plumber", "Home", "high", "today"), ("Buy Eggos", "Home", "high", "+2d"),
    ("买十二月的火车票", "妈妈家", "normal", "+5d"), ("Order firewood", "Home", "high", "+6d"), ("Destroy the Demogorgon", "Home", "normal", None),
    ("修厨房的灯", "Home", "normal", None), ("Fix the garden gate", "Home", "low", None), ("Descale the kettle", "Home", "low", None),
    ("Pay the rent", "Home", "high", None), ("带上旧相册", "妈妈家", "low", None), ("Middlemarch", "Winter reading", "normal", None),
]
LISTS = [("Home", "#2F6F6A"), ("Work", "#3D4F8F"), ("妈妈家", "#A4552A"), ("Winter reading", "#8A3A44"), ("Someday", "#6A5480")]
BIRTHDAYS = [("Nadia Petrov", "1996-11-25"), ("王小明", "1988-12-02"), ("Tomás García", "--11-30"), ("Grace Hopper", "1906-12-09"),
             ("Ada Lovelace", "1815-12-10"), ("Leap Larsen", "1992-02-29"), ("Someone Undated", None)]


def due(words):
    """A day in a form that the program reads; `-2d` becomes an ISO date."""
    import datetime
    if words == "-2d":
        return (datetime.date.today() - datetime.timedelta(days=2)).isoformat()
    if words and words.startswith("+"):
        return (datetime.date.today() + datetime.timedelta(days=int(words[1:-1]))).isoformat()
    return datetime.date.today().isoformat() if words else None


def make(world):
    run = lambda *words, **more: world.cli(*words, past=True, **more)
    for name, colour in LISTS:
        run("add", "list", name, "--colour", colour)
    for title, place, priority, when in TODOS:
        day = due(when)
        run("add", "todo", title, "--list", place, "--priority", priority, *(["--due", day] if day else []))
    run("add", "todo", "Book one", "--under", "Middlemarch")
    run("add", "todo", "Chapter 1", "--under", "Book one")
    for name, day in BIRTHDAYS:
        run("add", "birthday", name, *([day] if day else []))
    run("add", "question", "Lunch?", "Noodles:3", "Salad:2", "Toast:1")
    run("add", "question", "Which film?")
    run("done", "rent")
    run("edit", "eggos", "--note", "Two boxes")
    run("edit", "eggos", "--priority", "normal")
    run("edit", "eggos", "--priority", "high")
    run("pick", "lunch")
    run("add", "todo", "给花浇水", "--list", "妈妈家", "--repeat", "each mon")
    run("done", "给花浇水")
    conflict(world)


def conflict(world):
    """A second device joins; then both write concurrently."""
    import os
    run = lambda *words, **more: world.cli(*words, past=True, **more)
    os.mkdir(world.stick)
    run("sync", world.stick)
    run("join", world.stick, book=world.other)
    run("sync", world.stick, book=world.other)
    run("sync", world.stick, "--admit")
    run("sync", world.stick, book=world.other)
    run("edit", "ada", "--birthdate", "1815-10-12", book=world.other)
    run("delete", "Demogorgon", book=world.other)
    run("edit", "ada", "--birthdate", "1815-12-11")
    run("edit", "Demogorgon", "--title", "Destroy the Demogorgon (bring Eleven)")
    run("sync", world.stick, book=world.other)
    run("sync", world.stick)
