"""The synchronous client. Generated from the asynchronous one, except `_io.py`."""
