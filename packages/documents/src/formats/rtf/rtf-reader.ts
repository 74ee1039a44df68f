import { charsetOfCodePage, charsetOfFont } from '#formats/rtf/rtf-charsets';
import { characterSymbols, characterWords, shownIgnorable, skippedGroups } from '#formats/rtf/rtf-words';
import type { RtfToken } from '#formats/rtf/tokenize-rtf';

/** The style of a paragraph. */
export interface ParagraphStyle {
  readonly headingLevel: number | undefined;
  readonly isListItem: boolean;
  readonly inTable: boolean;
}

/** Receives the content of a document in order. */
export interface RtfHandler {
  paragraph(text: string, style: ParagraphStyle): void;
  cell(text: string): void;
  row(): void;
  info(field: string, text: string): void;
}

type Destination = 'text' | 'skip' | 'fonttbl' | 'stylesheet' | 'info' | 'field';

interface Group {
  readonly destination: Destination;
  readonly infoField: string;
  readonly charset: string;
  readonly fallbackChars: number;
  readonly hidden: boolean;
}

/** A document that nests groups deeper is damaged or an attack. */
const maxDepth = 2000;
const infoFields = new Set(['title', 'author', 'subject', 'keywords']);

/** Tracks the state that control words set in each group, and passes the text to a handler. */
export class RtfReader {
  readonly #handler: RtfHandler;
  readonly #fontCharsets = new Map<number, string>();
  readonly #headingStyles = new Map<number, number>();
  readonly #groups: Group[] = [];
  #group: Group = { destination: 'text', infoField: '', charset: 'windows-1252', fallbackChars: 1, hidden: false };
  #documentCharset = 'windows-1252';
  #ignorable = false;
  #pendingBytes: number[] = [];
  #toSkip = 0;
  #text: string[] = [];
  #tableNumber = 0;
  #headingLevel: number | undefined;
  #isListItem = false;
  #inTable = false;

  constructor(handler: RtfHandler) {
    this.#handler = handler;
  }

  read(tokens: Iterable<RtfToken>): void {
    for (const token of tokens) {
      if (token.kind === 'byte') this.#byte(token.value);
      else {
        this.#flushBytes();
        this.#token(token);
      }
    }
    this.#flushBytes();
    this.#endParagraph();
  }

  #token(token: Exclude<RtfToken, { kind: 'byte' }>): void {
    if (token.kind === 'open') this.#open();
    else if (token.kind === 'close') this.#close();
    else if (token.kind === 'symbol') this.#symbol(token.name);
    else if (token.kind === 'text') this.#rawText(token.bytes);
    else this.#word(token.name, token.value);
  }

  #open(): void {
    if (this.#groups.length >= maxDepth) throw new RangeError('RTF groups are nested too deeply');
    this.#groups.push(this.#group);
    this.#toSkip = 0;
  }

  #close(): void {
    if (this.#group.destination === 'info' || this.#group.destination === 'stylesheet') this.#endField();
    this.#group = this.#groups.pop() ?? this.#group;
    this.#ignorable = false;
    this.#toSkip = 0;
  }

  #symbol(name: string): void {
    if (name === '*') this.#ignorable = true;
    else if (name === '\r' || name === '\n') this.#endParagraph();
    else this.#append(characterSymbols[name] ?? '');
  }

  #rawText(bytes: string): void {
    const shown = this.#toSkip > 0 ? bytes.slice(this.#toSkip) : bytes;
    this.#toSkip = Math.max(0, this.#toSkip - bytes.length);
    // Some programs write eight-bit characters unescaped.
    const isAscii = !/[\u0080-\u00ff]/.test(shown);
    this.#append(isAscii ? shown : this.#decode(Uint8Array.from(shown, (char) => char.charCodeAt(0))));
  }

  #byte(value: number): void {
    if (this.#toSkip > 0) this.#toSkip--;
    else this.#pendingBytes.push(value);
  }

  /** Decodes a run of escapes together, because a two-byte character is written as two escapes. */
  #flushBytes(): void {
    if (this.#pendingBytes.length === 0) return;
    const bytes = Uint8Array.from(this.#pendingBytes);
    this.#pendingBytes = [];
    this.#append(this.#decode(bytes));
  }

  #decode(bytes: Uint8Array): string {
    return new TextDecoder(this.#group.charset).decode(bytes);
  }

  #append(text: string): void {
    const { destination, hidden } = this.#group;
    if (destination === 'info' || destination === 'stylesheet' || (destination === 'text' && !hidden))
      this.#text.push(text);
  }

  #word(name: string, value: number | undefined): void {
    if (this.#ignorable) {
      this.#ignorable = false;
      if (!shownIgnorable.has(name)) this.#enter('skip');
    }
    const { destination } = this.#group;
    if (destination === 'fonttbl') this.#fontWord(name, value ?? 0);
    else if (destination === 'stylesheet') this.#styleWord(name, value ?? 0);
    else if (destination === 'info' && infoFields.has(name)) this.#group = { ...this.#group, infoField: name };
    else if (destination === 'text') this.#textWord(name, value);
  }

  #enter(destination: Destination): void {
    this.#group = { ...this.#group, destination };
  }

  #fontWord(name: string, value: number): void {
    if (name === 'f') this.#tableNumber = value;
    const charset = name === 'fcharset' ? charsetOfFont(value) : undefined;
    if (charset) this.#fontCharsets.set(this.#tableNumber, charset);
  }

  #styleWord(name: string, value: number): void {
    if (name === 's') this.#tableNumber = value;
    else if (name === 'cs' || name === 'ts' || name === 'ds') this.#tableNumber = -1;
    else if (name === 'outlinelevel' && value < 6) this.#headingStyles.set(this.#tableNumber, value + 1);
  }

  /** Ends a field of the information group, or the name of a style. */
  #endField(): void {
    const text = this.#text.join('').replace(/;$/, '').trim();
    if (this.#group.destination === 'info' && this.#group.infoField !== '')
      this.#handler.info(this.#group.infoField, text);
    const level = this.#group.destination === 'stylesheet' ? /^heading ([1-6])$/i.exec(text)?.[1] : undefined;
    if (level && this.#tableNumber >= 0) this.#headingStyles.set(this.#tableNumber, Number(level));
    this.#text = [];
  }

  #textWord(name: string, value: number | undefined): void {
    if (skippedGroups.has(name)) this.#enter('skip');
    else if (name === 'fonttbl' || name === 'stylesheet' || name === 'info') this.#enter(name);
    else if (name === 'listtext' || name === 'pntext') {
      this.#isListItem = true;
      this.#enter('skip');
    } else if (characterWords[name] !== undefined) this.#append(characterWords[name]);
    else if (name === 'u') this.#unicode(value ?? 0);
    else if (!this.#characterWord(name, value)) this.#paragraphWord(name, value);
  }

  #unicode(value: number): void {
    this.#append(String.fromCharCode(value < 0 ? value + 65_536 : value));
    this.#toSkip = this.#group.fallbackChars;
  }

  #characterWord(name: string, value: number | undefined): boolean {
    if (name === 'ansicpg') {
      this.#documentCharset = charsetOfCodePage(value ?? 1252);
      this.#group = { ...this.#group, charset: this.#documentCharset };
    } else if (name === 'mac') this.#documentCharset = 'macintosh';
    else if (name === 'uc') this.#group = { ...this.#group, fallbackChars: Math.max(0, value ?? 1) };
    else if (name === 'v' || name === 'deleted') this.#group = { ...this.#group, hidden: value !== 0 };
    else if (name === 'plain') this.#group = { ...this.#group, hidden: false };
    else if (name === 'f') {
      this.#group = { ...this.#group, charset: this.#fontCharsets.get(value ?? 0) ?? this.#documentCharset };
    } else return false;
    return true;
  }

  #paragraphWord(name: string, value: number | undefined): void {
    if (name === 'par' || name === 'sect' || name === 'page') this.#endParagraph();
    else if (name === 'cell' || name === 'nestcell') this.#handler.cell(this.#takeText());
    else if (name === 'row' || name === 'nestrow') this.#handler.row();
    else if (name === 'intbl') this.#inTable = true;
    else if (name === 's') this.#headingLevel = this.#headingStyles.get(value ?? 0);
    else if (name === 'outlinelevel' && value !== undefined && value < 6) this.#headingLevel = value + 1;
    else if (name === 'pard') {
      this.#headingLevel = undefined;
      this.#isListItem = false;
      this.#inTable = false;
    }
  }

  #takeText(): string {
    const text = this.#text.join('');
    this.#text = [];
    return text;
  }

  /** In a table, the end of a paragraph is a line break in the cell. */
  #endParagraph(): void {
    if (this.#group.destination !== 'text') return;
    if (this.#inTable) {
      this.#text.push('\n');
      return;
    }
    const style = { headingLevel: this.#headingLevel, isListItem: this.#isListItem, inTable: this.#inTable };
    this.#handler.paragraph(this.#takeText(), style);
  }
}
