"""The Palena service: hooks that Metacontroller calls, and the command line around them."""
