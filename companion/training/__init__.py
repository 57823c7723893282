"""How the networks are made: scenes, data, training, export, measuring. Nothing at run time imports this."""
