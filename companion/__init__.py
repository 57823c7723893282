"""Mexican Train companion: reads real dominoes, rebuilds trains, judges house rules."""

__version__ = "0.1.0"
