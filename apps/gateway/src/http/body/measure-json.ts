import { invalidRequest } from '@lectern/service-kit';
import { type JsonLimits, MAX_KEY_BYTES, MAX_NESTING } from '#http/body/json-limits';

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Stored bytes of a string at the top level, which can be the name of the field to report. */
const MAX_NAME_BYTES = 100;

/** Counts the contents of a JSON body as its bytes arrive. */
export interface JsonMeter {
  /** Throws `invalid_request` as soon as a limit is exceeded. */
  write(chunk: Buffer): void;
}

/**
 * Creates a meter for one body. It reads each byte once and builds nothing, so a body with too many
 * values, names or levels is rejected before it costs memory or time. Invalid JSON passes: the
 * parser rejects it.
 */
export function createJsonMeter({ values: maxValues, keys: maxKeys }: JsonLimits): JsonMeter {
  let depth = 0;
  let values = 1;
  // True between the start of an object or list and its first member.
  let isEmpty = false;
  let keys = 0;
  let inText = false;
  let escaped = false;
  let textBytes = 0;
  let name = '';
  // Latin-1 like `name`. Decoded as UTF-8 when it is reported.
  let field: string | undefined;

  const reject = (message: string): never => {
    const path = field === undefined ? 'body' : Buffer.from(field, 'latin1').toString('utf8');
    throw invalidRequest([{ path, message }]);
  };

  const endName = () => {
    keys += 1;
    if (keys > maxKeys) reject(`exceeds the limit of ${maxKeys} names per request body`);
    if (depth === 1) field = name;
    if (textBytes > MAX_KEY_BYTES) reject(`must not have names of more than ${MAX_KEY_BYTES} bytes`);
  };

  const countValue = () => {
    values += 1;
    if (values > maxValues) reject(`exceeds the limit of ${maxValues} values per request body`);
  };

  const open = () => {
    depth += 1;
    if (depth > MAX_NESTING) reject(`must not be nested deeper than ${MAX_NESTING} levels`);
    isEmpty = true;
  };

  /**
   * Skips the string from `at` on. Returns the index after its closing quote, or the end of the
   * chunk.
   */
  const passText = (chunk: Buffer, at: number): number => {
    for (let from = at; ; ) {
      const quote = chunk.indexOf(QUOTE, from);
      const end = quote === -1 ? chunk.length : quote;
      let start = end;
      while (start > from && chunk[start - 1] === BACKSLASH) start -= 1;
      const backslashes = end - start + (start === from && escaped ? 1 : 0);
      escaped = backslashes % 2 === 1;
      if (quote === -1 || !escaped) {
        if (depth === 1) name += chunk.toString('latin1', at, Math.min(end, at + MAX_NAME_BYTES - name.length));
        textBytes += end - at;
        inText = quote === -1;
        return end + (inText ? 0 : 1);
      }
      escaped = false;
      from = quote + 1;
    }
  };

  const outside = (byte: number) => {
    if (isEmpty && byte > SPACE) {
      isEmpty = false;
      if (byte !== CLOSE_OBJECT && byte !== CLOSE_LIST) countValue();
    }
    switch (byte) {
      case QUOTE:
        inText = true;
        textBytes = 0;
        name = '';
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        open();
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        depth -= 1;
        isEmpty = false;
        break;
      case COMMA:
        countValue();
        break;
      case COLON:
        endName();
        break;
      default:
    }
  };

  return {
    write: (chunk) => {
      for (let at = 0; at < chunk.length; ) {
        if (inText) at = passText(chunk, at);
        else {
          outside(chunk[at] ?? SPACE);
          at += 1;
        }
      }
    },
  };
}
