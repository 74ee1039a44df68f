import type { Bitmap } from '../storage/bitmap.ts';
import type { Filter } from './types.ts';

/**
 * The points that match recently used filters, until a point or an index changes. The legs of a
 * search and the searches of a team repeat the same few filters; equal texts of requests are parsed
 * to the same object.
 */
export class FilterResults {
  #known = new WeakMap<Filter, Bitmap>();

  get(filter: Filter): Bitmap | undefined {
    return this.#known.get(filter);
  }

  set(filter: Filter, points: Bitmap): void {
    this.#known.set(filter, points);
  }

  clear(): void {
    this.#known = new WeakMap();
  }
}
