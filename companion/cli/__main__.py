"""`python -m companion.cli`: the same door where the script is not on the path."""

from companion.cli import main

if __name__ == "__main__":
    main(prog_name="companion")
