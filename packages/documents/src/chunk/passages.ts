import { HeadingPath } from '#chunk/heading-path';
import { type PackLimits, type Passage, packFull, packRest } from '#chunk/pack-section';
import { scanBlocks } from '#chunk/scan-blocks';
import { addUnit, hasOnlyHeadings, mergeInto, newSection, type Section } from '#chunk/sections';
import { splitBlock } from '#chunk/split-block';

/** Sizes in tokens that decide how a document is split. */
export interface ChunkLimits extends PackLimits {
  /** A whole section smaller than this is merged with the next. */
  readonly tiny: number;
}

/**
 * Reads blocks into sections, merges small sections, and packs them. Buffers at most three chunks.
 */
export class PassageReader {
  readonly #text: string;
  readonly #limits: ChunkLimits;
  /** A tiny section that can be merged with the next one. */
  #waiting: Section | undefined;

  constructor(text: string, limits: ChunkLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  *passages(title: string | undefined): Generator<Passage> {
    const path = new HeadingPath(title);
    let section = newSection(path.current(), 0);
    for (const block of scanBlocks(this.#text)) {
      if (block.kind === 'heading') {
        path.enter(block.level, this.#text.slice(block.start, block.end));
        const next = newSection(path.current(), block.level);
        if (this.#leadsInto(section, next)) for (const unit of section.units) addUnit(this.#text, next, unit);
        else yield* this.#end(section);
        section = next;
      }
      for (const unit of splitBlock(this.#text, block, this.#unitBudget(section))) {
        addUnit(this.#text, section, unit);
        if (section.tokens > 2 * this.#limits.target) yield* this.#settle(section);
      }
    }
    yield* this.#end(section);
    yield* this.#flush();
  }

  /**
   * Returns true if the section is only a heading directly above a deeper one, so that both are
   * merged.
   */
  #leadsInto(section: Section, next: Section): boolean {
    return !section.isPartlyPacked && section.level < next.level && this.#isHeadingOnly(section);
  }

  #isHeadingOnly(section: Section): boolean {
    return section.tokens <= this.#limits.target / 4 && hasOnlyHeadings(section);
  }

  /**
   * Returns the maximum number of tokens of a unit, which leaves room for the headings above it and the overlap.
   */
  #unitBudget(section: Section): number {
    const headings = this.#isHeadingOnly(section) ? section.tokens : 0;
    return this.#limits.target - Math.max(headings, this.#limits.overlap);
  }

  /** Packs a section that is larger than two chunks and is therefore not merged any more. */
  *#settle(section: Section): Generator<Passage> {
    if (!section.isPartlyPacked) yield* this.#flush();
    yield* packFull(this.#text, section, this.#limits);
  }

  *#end(section: Section): Generator<Passage> {
    if (section.units.length === 0) return;
    if (section.isPartlyPacked) {
      yield* packRest(this.#text, section, this.#limits);
      return;
    }
    const waiting = this.#waiting;
    if (waiting && section.level >= waiting.level && waiting.tokens + section.tokens < this.#limits.target) {
      mergeInto(this.#text, waiting, section);
    } else {
      yield* this.#flush();
      this.#waiting = section;
    }
    if (this.#waiting && this.#waiting.tokens >= this.#limits.tiny) yield* this.#flush();
  }

  *#flush(): Generator<Passage> {
    if (this.#waiting) yield* packRest(this.#text, this.#waiting, this.#limits);
    this.#waiting = undefined;
  }
}
