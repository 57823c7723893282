"""Pictures in, sightings out: opening, locating, rectifying, reading, drawing. The one home of cv2 and onnxruntime."""
