/** Headings are cut to this many UTF-16 units, because every passage below repeats them. */
const maxHeadingChars = 200;

const headingText = (line: string): string =>
  line
    .replace(/^#+\s+/, '')
    .replace(/\s+#+$/, '')
    .slice(0, maxHeadingChars)
    .toWellFormed();

/** Tracks the headings above the current position in a document. */
export class HeadingPath {
  readonly #title: string | undefined;
  #stack: { readonly level: number; readonly text: string }[] = [];

  constructor(title: string | undefined) {
    this.#title = title?.trim() || undefined;
  }

  /** Enters a heading line, which closes all headings of its level and deeper. */
  enter(level: number, line: string): void {
    this.#stack = this.#stack.filter((heading) => heading.level < level);
    this.#stack.push({ level, text: headingText(line) });
  }

  /**
   * Returns the current path, outermost first. Begins with the title unless the first heading
   * repeats it.
   */
  current(): readonly string[] {
    const headings = this.#stack.map((heading) => heading.text);
    if (!this.#title || headings[0]?.toLowerCase() === this.#title.toLowerCase()) return headings;
    return [this.#title, ...headings];
  }
}
