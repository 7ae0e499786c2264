"""The Palena service: hooks that Metacontroller calls, and the command line around them."""

__version__ = "0.1.0"
