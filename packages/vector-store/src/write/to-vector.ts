/** Vector values go over the wire as decimal text. Eight digits after the point are below the precision of float32 for unit vectors. */
const VALUE_SCALE = 1e8;

/** A dense vector as requests carry it. */
export function toVector(dense: Float32Array): number[] {
  return Array.from(dense, (value) => Math.round(value * VALUE_SCALE) / VALUE_SCALE);
}
