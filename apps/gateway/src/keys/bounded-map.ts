/** A map that forgets its oldest entries beyond `max`. */
export class BoundedMap<V> extends Map<string, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(name: string, value: V): this {
    // A Map keeps the order of insertion: the first entry is the oldest.
    this.delete(name);
    super.set(name, value);
    const [oldest] = this.keys();
    if (this.size > this.#max && oldest !== undefined) this.delete(oldest);
    return this;
  }
}
