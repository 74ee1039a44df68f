/** A heading is shown with every passage below it: no longer than this many UTF-16 units. */
const longestShown = 200;

const headingText = (line: string): string =>
  line
    .replace(/^#+\s+/, '')
    .replace(/\s+#+$/, '')
    .slice(0, longestShown)
    .toWellFormed();

/** The headings above the reader while going down a document. */
export class HeadingPath {
  readonly #title: string | undefined;
  #stack: { readonly level: number; readonly text: string }[] = [];

  constructor(title: string | undefined) {
    this.#title = title?.trim() || undefined;
  }

  /** Passes a heading line: it closes all headings of its level and deeper. */
  enter(level: number, line: string): void {
    this.#stack = this.#stack.filter((heading) => heading.level < level);
    this.#stack.push({ level, text: headingText(line) });
  }

  /** The path here, outermost first, topped by the title unless the first heading repeats it. */
  current(): readonly string[] {
    const headings = this.#stack.map((heading) => heading.text);
    if (!this.#title || headings[0]?.toLowerCase() === this.#title.toLowerCase()) return headings;
    return [this.#title, ...headings];
  }
}
