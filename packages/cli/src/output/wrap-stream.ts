import wrapAnsi from 'wrap-ansi';

/** Receives a text in pieces and writes it with lines broken between words. */
export interface WrapStream {
  write(piece: string): void;
  /** Writes the last word. */
  end(): void;
}

const wrap = (text: string, columns: number) => wrapAnsi(text, columns, { trim: false });

/** Creates a stream that holds back a word until it is complete, because it may belong on the next line. */
export function createWrapStream(columns: number, write: (text: string) => void): WrapStream {
  /** The line that is being written, and how much of it has been. */
  let line = '';
  let written = 0;
  const advance = (end: number) => {
    const wrapped = wrap(line, columns);
    const until = Math.min(end, wrapped.length);
    if (until <= written) return;
    write(wrapped.slice(written, until));
    const start = wrapped.lastIndexOf('\n', until - 1) + 1;
    // What is on earlier lines does not change the wrapping of this one.
    line = wrapped.slice(start).replaceAll('\n', '');
    written = until - start;
  };
  const lastSpace = () => wrap(line, columns).search(/[ \n]\S*$/);
  return {
    write: (piece) => {
      const [first = '', ...others] = piece.split('\n');
      line += first;
      for (const next of others) {
        advance(Number.POSITIVE_INFINITY);
        write('\n');
        line = next;
        written = 0;
      }
      advance(lastSpace());
    },
    end: () => {
      advance(Number.POSITIVE_INFINITY);
      line = '';
      written = 0;
    },
  };
}
