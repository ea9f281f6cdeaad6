"""Read a clause by its parts: the things in it, the act, and whether anything is left over.

What the rules take whole stands without this. Here a clause is heard as a frame: `things` finds
what it points at and how many, `acts` what is to be done, `rest` whether something that was not
read may alter it, and `reading` decides: done exactly, asked, or looked at.
"""
