"""What `arcwise` alone prints: what to type next."""

from __future__ import annotations

TEXT = """\
arcwise learns which columns of a table depend on which: the structure of a
Bayesian network.

Try it on a table that comes along:
  arcwise learn @cars1                        learn a network and print it
  arcwise learn @cars1 --report cars.html     the same, and a page to click

Then on your own:
  arcwise check data.csv                      what in it needs a second look
  arcwise learn data.csv --report net.html    the network, and a page about it
  arcwise bootstrap data.csv                  how sure each edge is
  arcwise compare data.csv                    which method suits the table

More:
  arcwise methods                             every method in a line
  arcwise --help                              every command
  arcwise learn --help                        every option of one
"""


def show_first_look() -> None:
    from arcwise.cli.views.screen import print_text

    print_text(TEXT.rstrip("\n"))
