"""Materials, pictures and meshes in Blender: the few calls of its API that every part of a scene needs.

Needs `bpy`. Colours are BGR in 0..255 as elsewhere in training, converted to Blender's linear RGB here.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from companion.training.blender_geometry import Shape
from companion.training.camera import Array
from companion.training.surfaces import Floats


def linear(colour_bgr: Floats | tuple[float, float, float]) -> tuple[float, float, float, float]:
    """A screen colour as Blender's linear RGBA."""
    rgb = np.clip(np.asarray(colour_bgr, np.float64)[::-1] / 255, 0, 1)
    light = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(light[0]), float(light[1]), float(light[2]), 1.0


def picture(name: str, image: Floats | NDArray[np.uint8], *, data: bool = False) -> Any:
    """An image of Blender from BGR (h, w, 3) in 0..255, or with `data` from plain numbers (h, w) in 0..1 as they are."""
    height, width = image.shape[:2]
    made = bpy.data.images.new(name, width, height, alpha=False, float_buffer=data)
    rgba = np.ones((height, width, 4), np.float32)
    if data:
        made.colorspace_settings.name = "Non-Color"
        rgba[..., :3] = image[::-1, :, None]
    else:
        rgba[..., :3] = np.clip(image[::-1, :, ::-1].astype(np.float32) / 255, 0, 1)
    made.pixels.foreach_set(rgba.ravel())
    made.update()
    return made


class Material:
    """A surface of Blender's Principled kind, with the inputs that our things need."""

    def __init__(self, name: str, **inputs: Any) -> None:
        """`inputs` are the shader's own, written with underscores: Base_Color, Roughness, Coat_Weight ..."""
        self.made = bpy.data.materials.new(name)
        self.tree = self.made.node_tree
        self.shader = next(n for n in self.tree.nodes if n.bl_idname == "ShaderNodeBsdfPrincipled")
        for key, value in inputs.items():
            self.shader.inputs[key.replace("_", " ")].default_value = value

    def image(self, image: Any, *, cubic: bool = False) -> Any:
        """A node that shows an image by the mesh's UVs."""
        node = self.tree.nodes.new("ShaderNodeTexImage")
        node.image = image
        node.interpolation = "Cubic" if cubic else "Linear"
        node.extension = "MIRROR"  # a texture that goes on beyond its border shows no seam
        return node

    def paint(self, image: Any) -> None:
        """Colour from an image."""
        self.tree.links.new(self.image(image).outputs["Color"], self.shader.inputs["Base Color"])

    def emboss(self, image: Any, depth: float) -> None:
        """Let light fall as if the surface rose by `depth` tile widths where an image is 1 (clear coat too)."""
        bump = self.tree.nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = 1.0
        bump.inputs["Distance"].default_value = depth
        self.tree.links.new(self.image(image, cubic=True).outputs["Color"], bump.inputs["Height"])
        for name in ("Normal", "Coat Normal"):
            self.tree.links.new(bump.outputs["Normal"], self.shader.inputs[name])

    def let_light_through(self) -> None:
        """No shadow: without caustics what is clear would cast one as if it were not."""
        path = self.tree.nodes.new("ShaderNodeLightPath")
        clear = self.tree.nodes.new("ShaderNodeBsdfTransparent")
        clear.inputs["Color"].default_value = (0.85, 0.85, 0.85, 1)
        either = self.tree.nodes.new("ShaderNodeMixShader")
        out = next(n for n in self.tree.nodes if n.bl_idname == "ShaderNodeOutputMaterial")
        self.tree.links.new(path.outputs["Is Shadow Ray"], either.inputs[0])
        self.tree.links.new(self.shader.outputs["BSDF"], either.inputs[1])
        self.tree.links.new(clear.outputs["BSDF"], either.inputs[2])
        self.tree.links.new(either.outputs["Shader"], out.inputs["Surface"])

    def smudge(self, least: float, most: float, scale: float) -> None:
        """Roughness that varies: fingers and wear on what is glossy."""
        noise = self.tree.nodes.new("ShaderNodeTexNoise")
        noise.inputs["Scale"].default_value = scale
        spread = self.tree.nodes.new("ShaderNodeMapRange")
        spread.inputs["To Min"].default_value = least
        spread.inputs["To Max"].default_value = most
        place = self.tree.nodes.new("ShaderNodeTexCoord")
        self.tree.links.new(place.outputs["Object"], noise.inputs["Vector"])
        self.tree.links.new(noise.outputs[0], spread.inputs["Value"])
        self.tree.links.new(spread.outputs["Result"], self.shader.inputs["Roughness"])


def add_mesh(
    name: str, shape: Shape, materials: list[Material], *, uv: Array | None = None, smooth: bool = True
) -> Any:
    """An object of a shape; `uv` (n, 2) belongs to its corners. Faces of many corners stay flat, the others are smooth."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(shape.points.tolist(), [], [list(f) for f in shape.faces])
    for material in materials:
        mesh.materials.append(material.made)
    mesh.polygons.foreach_set("material_index", np.minimum(shape.parts, len(materials) - 1).astype(np.int32))
    if uv is not None:
        layer = mesh.uv_layers.new(name="uv")
        corners = np.concatenate([np.array(f) for f in shape.faces])
        layer.data.foreach_set("uv", uv[corners].astype(np.float32).ravel())
    if smooth:
        mesh.set_sharp_from_angle(angle=np.deg2rad(50))
    # a lid is flat; what lies around it is round (after the above, which makes all faces round)
    mesh.polygons.foreach_set("use_smooth", np.array([smooth and len(f) <= 4 for f in shape.faces], np.bool_))
    mesh.update()
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    return made
