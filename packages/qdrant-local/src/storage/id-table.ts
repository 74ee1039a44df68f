import { comparePointIds, type PointId } from '../model/point-id.ts';
import { Bitmap } from './bitmap.ts';

/**
 * Maps point ids to internal offsets and back. Reuses offsets of deleted points, so that vector
 * blocks stay dense.
 */
export class IdTable {
  readonly #offsets = new Map<PointId, number>();
  readonly #ids: (PointId | undefined)[] = [];
  readonly #versions: number[] = [];
  readonly #free: number[] = [];
  readonly #alive = new Bitmap();
  #sorted: PointId[] = [];
  #unsorted: PointId[] = [];

  get size(): number {
    return this.#offsets.size;
  }

  /** One more than the largest assigned offset. */
  get capacity(): number {
    return this.#ids.length;
  }

  /** The assigned offsets. Callers must not modify them. */
  get alive(): Bitmap {
    return this.#alive;
  }

  offsetOf(id: PointId): number | undefined {
    return this.#offsets.get(id);
  }

  idAt(offset: number): PointId {
    const id = this.#ids[offset];
    if (id === undefined) throw new Error(`There is no point at offset ${offset}`);
    return id;
  }

  /** Returns the number of the last operation that changed the point. */
  versionAt(offset: number): number {
    return this.#versions[offset] ?? 0;
  }

  setVersion(offset: number, version: number): void {
    this.#versions[offset] = version;
  }

  insert(id: PointId): number {
    const offset = this.#free.pop() ?? this.#ids.length;
    this.#offsets.set(id, offset);
    this.#ids[offset] = id;
    this.#versions[offset] = 0;
    this.#alive.add(offset);
    this.#unsorted.push(id);
    return offset;
  }

  /** Returns a copy of the ids with their offsets and versions. */
  capture(): { readonly ids: PointId[]; readonly offsets: Uint32Array; readonly versions: Float64Array } {
    const offsets = Uint32Array.from(this.#alive.toArray());
    return {
      ids: Array.from(offsets, (offset) => this.idAt(offset)),
      offsets,
      versions: Float64Array.from(offsets, (offset) => this.versionAt(offset)),
    };
  }

  /** Fills an empty table with captured ids. */
  restore(ids: readonly PointId[], offsets: Uint32Array, versions: Float64Array): void {
    ids.forEach((id, i) => {
      const offset = offsets[i] ?? 0;
      while (this.#ids.length < offset) {
        this.#free.push(this.#ids.length);
        this.#ids.push(undefined);
        this.#versions.push(0);
      }
      this.#ids.push(id);
      this.#versions.push(versions[i] ?? 0);
      this.#offsets.set(id, offset);
      this.#alive.add(offset);
    });
    this.#unsorted = [...ids];
  }

  remove(id: PointId): number | undefined {
    const offset = this.#offsets.get(id);
    if (offset === undefined) return undefined;
    this.#offsets.delete(id);
    this.#ids[offset] = undefined;
    this.#alive.delete(offset);
    this.#free.push(offset);
    return offset;
  }

  /**
   * Returns all ids in Qdrant's order. Merges new ids and drops deleted ones on demand, so paging
   * needs no full sort.
   */
  sortedIds(): readonly PointId[] {
    if (this.#unsorted.length === 0 && this.#sorted.length === this.#offsets.size) return this.#sorted;
    const fresh = this.#unsorted.sort(comparePointIds);
    const merged: PointId[] = [];
    let left = 0;
    let right = 0;
    let last: PointId | undefined;
    while (left < this.#sorted.length || right < fresh.length) {
      const a = this.#sorted[left];
      const b = fresh[right];
      const takeLeft = b === undefined || (a !== undefined && comparePointIds(a, b) <= 0);
      const next = takeLeft ? a : b;
      if (takeLeft) left += 1;
      else right += 1;
      // An id that was deleted and added again is in both lists.
      if (next !== undefined && next !== last && this.#offsets.has(next)) merged.push(next);
      last = next;
    }
    this.#sorted = merged;
    this.#unsorted = [];
    return merged;
  }
}
