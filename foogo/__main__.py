"""`python -m foogo` runs the command `foogo`."""

from foogo.cli import main

if __name__ == "__main__":
    main()
