"""What the documentation takes from the code: tables, pages and pictures, made and not written.

`python -m docs.made` writes them anew, and `make docs` does so before it builds the site. A test
holds that what is committed is what is made.
"""
