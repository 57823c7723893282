"""From the tiles seen in one picture to the engine, the trains and what is wrong: pure geometry and inference."""
