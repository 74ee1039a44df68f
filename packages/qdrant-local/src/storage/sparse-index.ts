import type { SparseVector } from '../model/vectors.ts';
import { Bitmap } from './bitmap.ts';

/** The vectors that have a value in one dimension: slots ascending, with the value of each. */
export class PostingList {
  slots = new Int32Array(4);
  values = new Float32Array(4);
  length = 0;
  /** How many of the slots still hold a vector: the document frequency. */
  liveCount = 0;

  push(slot: number, value: number): void {
    if (this.length === this.slots.length) {
      const slots = new Int32Array(this.length * 2);
      slots.set(this.slots);
      const values = new Float32Array(this.length * 2);
      values.set(this.values);
      this.slots = slots;
      this.values = values;
    }
    this.slots[this.length] = slot;
    this.values[this.length] = value;
    this.length += 1;
    this.liveCount += 1;
  }
}

/**
 * All sparse vectors of one name, as posting lists. Each stored vector gets a new slot, so lists only ever grow at
 * their end; a replaced or deleted vector leaves a dead slot, and the lists are rebuilt when dead slots abound.
 */
export class SparseIndex {
  readonly #vectors: (SparseVector | undefined)[] = [];
  readonly #slotOfOffset: number[] = [];
  readonly #present = new Bitmap();
  #offsetOfSlot: number[] = [];
  #postings = new Map<number, PostingList>();
  #size = 0;
  #deadSlots = 0;

  /** How many points have a non-empty vector: Qdrant's N of the IDF. */
  get size(): number {
    return this.#size;
  }

  /** One past the largest slot. */
  get slotCount(): number {
    return this.#offsetOfSlot.length;
  }

  /** The offsets that have this vector. */
  get present(): Bitmap {
    return this.#present;
  }

  get(offset: number): SparseVector | undefined {
    return this.#vectors[offset];
  }

  posting(dimension: number): PostingList | undefined {
    return this.#postings.get(dimension);
  }

  /** The point of a slot, −1 for a dead one. */
  offsetOfSlot(slot: number): number {
    return this.#offsetOfSlot[slot] ?? -1;
  }

  set(offset: number, vector: SparseVector): void {
    this.delete(offset);
    this.#vectors[offset] = vector;
    this.#present.add(offset);
    this.#addPostings(offset, vector);
  }

  delete(offset: number): void {
    const vector = this.#vectors[offset];
    if (!vector) return;
    this.#vectors[offset] = undefined;
    this.#present.delete(offset);
    if (vector.indices.length === 0) return;
    this.#offsetOfSlot[this.#slotOfOffset[offset] ?? -1] = -1;
    this.#size -= 1;
    this.#deadSlots += 1;
    for (const dimension of vector.indices) {
      const posting = this.#postings.get(dimension);
      if (posting) posting.liveCount -= 1;
    }
    if (this.#deadSlots > 1024 && this.#deadSlots > this.#size / 2) this.#rebuild();
  }

  #addPostings(offset: number, vector: SparseVector): void {
    if (vector.indices.length === 0) return;
    const slot = this.#offsetOfSlot.length;
    this.#offsetOfSlot.push(offset);
    this.#slotOfOffset[offset] = slot;
    this.#size += 1;
    for (let i = 0; i < vector.indices.length; i++) {
      const dimension = vector.indices[i] ?? 0;
      let posting = this.#postings.get(dimension);
      if (!posting) {
        posting = new PostingList();
        this.#postings.set(dimension, posting);
      }
      posting.push(slot, vector.values[i] ?? 0);
    }
  }

  #rebuild(): void {
    this.#postings = new Map();
    this.#offsetOfSlot = [];
    this.#size = 0;
    this.#deadSlots = 0;
    for (let offset = 0; offset < this.#vectors.length; offset++) {
      const vector = this.#vectors[offset];
      if (vector) this.#addPostings(offset, vector);
    }
  }
}
