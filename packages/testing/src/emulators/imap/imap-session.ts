import type { ImapFolder, ImapMailbox, ImapMessage } from '#emulators/imap/imap-model';
import {
  type Argument,
  dateTimeOf,
  decodeFolder,
  encodeFolder,
  envelopeText,
  ImapSyntaxError,
  parseDay,
  quoted,
  sequenceRanges,
  sequenceSet,
  structureText,
  valueText,
} from '#emulators/imap/imap-syntax';
import {
  envelopeOf,
  fieldOf,
  headerFields,
  type MimePart,
  parseMime,
  partOf,
  structureOf,
} from '#emulators/imap/mime-structure';

/** The answer to a command: data, then the tagged status. */
export interface ImapAnswer {
  readonly data: readonly Buffer[];
  readonly status: string;
}

/** Changes the JSON description of a LIST or FETCH answer before it is written. */
export type RewriteAnswer = (json: string) => string;

const line = (text: string) => Buffer.from(`* ${text}\r\n`);
const ok = (text: string, data: readonly Buffer[] = []): ImapAnswer => ({ data, status: `OK ${text}` });
const no = (text: string): ImapAnswer => ({ data: [], status: `NO ${text}` });

const text = (argument: Argument | undefined): string => {
  if (typeof argument !== 'string') throw new ImapSyntaxError('a string is missing');
  return argument;
};

// https://www.rfc-editor.org/rfc/rfc9051#section-6.4.4
function searchTest(keys: readonly Argument[], folder: ImapFolder, isCondstore: boolean) {
  type Test = (message: ImapMessage, seq: number) => boolean;
  const rest = [...keys];
  const next = () => text(rest.shift());
  const day = (date: Date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  const sentDay = (message: ImapMessage) => {
    const sent = new Date(fieldOf(parseMime(message.raw).header, 'date') ?? Number.NaN);
    return Number.isNaN(sent.getTime()) ? Number.NaN : day(sent);
  };
  const read = (): Test => {
    const key = rest.shift();
    if (Array.isArray(key)) return searchTest(key, folder, isCondstore);
    const name = text(key).toUpperCase();
    const largest = folder.messages.at(-1)?.uid ?? 0;
    switch (name) {
      case 'ALL':
        return () => true;
      case 'DELETED':
        return ({ flags }) => flags.has('\\Deleted');
      case 'UNDELETED':
        return ({ flags }) => !flags.has('\\Deleted');
      case 'NOT': {
        const test = read();
        return (message, seq) => !test(message, seq);
      }
      case 'UID': {
        const isIn = sequenceSet(next(), largest);
        return ({ uid }) => isIn(uid);
      }
      case 'SINCE': {
        const from = parseDay(next());
        return ({ internalDate }) => day(internalDate) >= from;
      }
      case 'BEFORE': {
        const to = parseDay(next());
        return ({ internalDate }) => day(internalDate) < to;
      }
      case 'SENTSINCE': {
        const from = parseDay(next());
        return (message) => sentDay(message) >= from;
      }
      case 'SENTBEFORE': {
        const to = parseDay(next());
        return (message) => sentDay(message) < to;
      }
      case 'HEADER': {
        const field = next().toLowerCase();
        const wanted = next().toLowerCase();
        return ({ raw }) =>
          headerFields(parseMime(raw).header).some(
            ([candidate, value]) => candidate === field && value.toLowerCase().includes(wanted),
          );
      }
      case 'LARGER': {
        const size = Number(next());
        return ({ raw }) => raw.length > size;
      }
      case 'SMALLER': {
        const size = Number(next());
        return ({ raw }) => raw.length < size;
      }
      case 'MODSEQ': {
        if (!isCondstore) throw new ImapSyntaxError('MODSEQ needs CONDSTORE');
        const from = Number(next());
        return ({ modseq }) => modseq >= from;
      }
      default: {
        const isIn = sequenceSet(name, folder.messages.length);
        return (_message, seq) => isIn(seq);
      }
    }
  };
  const tests: Test[] = [];
  while (rest.length > 0) tests.push(read());
  if (tests.length === 0) throw new ImapSyntaxError('a search key is missing');
  return (message: ImapMessage, seq: number) => tests.every((test) => test(message, seq));
}

/** The index of the first message with this UID or a higher one. */
function indexOfUid(messages: readonly ImapMessage[], uid: number): number {
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((messages[middle]?.uid ?? 0) < uid) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the messages in a set of UIDs or of sequence numbers, with their sequence numbers. */
function selectMessages({ messages }: ImapFolder, set: string, by: 'uid' | 'number') {
  const largest = by === 'uid' ? (messages.at(-1)?.uid ?? 0) : messages.length;
  return sequenceRanges(set, largest).flatMap(([first, last]) => {
    if (by === 'number' && last > messages.length) throw new ImapSyntaxError('a message with this number is missing');
    const start = by === 'uid' ? indexOfUid(messages, first) : first - 1;
    const end = by === 'uid' ? indexOfUid(messages, last + 1) : last;
    return messages.slice(start, end).map((message, at) => ({ message, seq: start + at + 1 }));
  });
}

const SECTION = /^BODY(\.PEEK)?\[([^\]]*)\](?:<(\d+)\.(\d+)>)?$/i;

function sectionOf(root: MimePart, section: string): Buffer | undefined {
  if (section === '') return Buffer.concat([root.header, Buffer.from('\r\n'), root.body]);
  const fields = /^HEADER\.FIELDS \(([^)]*)\)$/i.exec(section)?.[1]?.toLowerCase().split(' ');
  if (fields !== undefined) {
    const all = root.header.toString('latin1').match(/[^\r\n].*\r\n(?:[ \t].*\r\n)*/g) ?? [];
    const wanted = all.filter((field) =>
      fields.includes(field.slice(0, Math.max(field.indexOf(':'), 0)).toLowerCase()),
    );
    return Buffer.from(`${wanted.join('')}\r\n`, 'latin1');
  }
  if (/^HEADER$/i.test(section)) return Buffer.concat([root.header, Buffer.from('\r\n')]);
  if (/^TEXT$/i.test(section)) return root.body;
  const [, number, isMime] = /^([1-9]\d*(?:\.[1-9]\d*)*)(\.MIME)?$/i.exec(section) ?? [];
  if (number === undefined) throw new ImapSyntaxError(`invalid section ${section}`);
  const part = partOf(root, number);
  return isMime === undefined ? part?.body : part?.header;
}

/** Writes one FETCH response. Literals of bodies are bytes; all else can be changed as JSON. */
function fetchLine(seq: number, values: ReadonlyMap<string, unknown>): Buffer {
  const pieces: Buffer[] = [];
  for (const [name, value] of values) {
    if (value instanceof Uint8Array) {
      pieces.push(Buffer.concat([Buffer.from(`${name} {${value.length}}\r\n`), value]));
    } else {
      const written =
        name === 'ENVELOPE'
          ? envelopeText(value)
          : name === 'BODYSTRUCTURE'
            ? structureText(value)
            : name === 'FLAGS' && Array.isArray(value)
              ? `(${value.join(' ')})`
              : valueText(value);
      pieces.push(Buffer.from(`${name} ${written}`));
    }
  }
  const spaced = pieces.flatMap((piece, at) => (at === 0 ? [piece] : [Buffer.from(' '), piece]));
  return Buffer.concat([Buffer.from(`* ${seq} FETCH (`), ...spaced, Buffer.from(')\r\n')]);
}

/** The commands after a login, for one mailbox. Messages and flags cannot be changed. */
export function createMailboxCommands(mailbox: ImapMailbox, options: { readonly condstore: boolean }) {
  let selected: string | undefined;
  let isCondstore = false;

  const current = (): ImapFolder => {
    const folder = selected === undefined ? undefined : mailbox.folders.get(selected);
    if (folder === undefined) throw new ImapSyntaxError('no mailbox is selected');
    return folder;
  };

  function list(args: readonly Argument[], rewrite: RewriteAnswer | undefined): ImapAnswer {
    const [reference, pattern] = args.map(text);
    if (args.length !== 2 || reference !== '') throw new ImapSyntaxError('LIST needs a reference and a pattern');
    if (pattern === '') return ok('LIST completed', [line('LIST (\\Noselect) "/" ""')]);
    const exact = decodeFolder(pattern ?? '');
    if (pattern !== '*' && /[*%]/.test(exact)) throw new ImapSyntaxError('this server matches only "*" and full names');
    const entries = [...mailbox.folders.values()]
      .filter(({ path }) => pattern === '*' || path === exact)
      .map(({ path, specialUse, isSelectable }) => ({
        flags: [...(isSelectable ? [] : ['\\Noselect']), ...(specialUse === undefined ? [] : [specialUse])],
        delimiter: '/',
        name: encodeFolder(path),
      }));
    const written: unknown = JSON.parse(rewrite?.(JSON.stringify(entries)) ?? JSON.stringify(entries));
    const rows = (Array.isArray(written) ? written : []).map((entry: unknown) => {
      if (typeof entry !== 'object' || entry === null) return line(`LIST ${valueText(entry)}`);
      const { flags = null, delimiter = null, name = null } = Object(entry);
      const flagText = Array.isArray(flags) ? `(${flags.join(' ')})` : valueText(flags);
      return line(`LIST ${flagText} ${valueText(delimiter)} ${valueText(name)}`);
    });
    return ok('LIST completed', rows);
  }

  function examine(args: readonly Argument[]): ImapAnswer {
    selected = undefined;
    const path = decodeFolder(text(args[0]));
    const parameters = args[1] ?? [];
    if (!Array.isArray(parameters) || args.length > 2) throw new ImapSyntaxError('EXAMINE needs a mailbox');
    const folder = mailbox.folders.get(/^inbox$/i.test(path) ? 'INBOX' : path);
    if (folder === undefined || !folder.isSelectable) return no('[NONEXISTENT] Mailbox does not exist');
    if (folder.canBeOpened === 'no') return no('Internal error');
    if (!folder.canBeOpened) return no('[NOPERM] Permission denied');
    if (parameters.includes('CONDSTORE') && !options.condstore) throw new ImapSyntaxError('CONDSTORE is not supported');
    isCondstore ||= parameters.includes('CONDSTORE');
    selected = folder.path;
    return ok('[READ-ONLY] EXAMINE completed', [
      line('FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)'),
      line(`${folder.messages.length} EXISTS`),
      line('0 RECENT'),
      line('OK [PERMANENTFLAGS ()] Read-only'),
      line(`OK [UIDVALIDITY ${folder.uidValidity}] Valid`),
      line(`OK [UIDNEXT ${folder.uidNext}] Next`),
      ...(options.condstore ? [line(`OK [HIGHESTMODSEQ ${folder.highestModseq}] Highest`)] : []),
    ]);
  }

  function status(args: readonly Argument[]): ImapAnswer {
    const path = decodeFolder(text(args[0]));
    const items = args[1];
    const folder = mailbox.folders.get(path);
    if (!Array.isArray(items)) throw new ImapSyntaxError('STATUS needs a list of items');
    if (folder === undefined || !folder.isSelectable) return no('[NONEXISTENT] Mailbox does not exist');
    if (!folder.canBeOpened) return no('[NOPERM] Permission denied');
    const values: Readonly<Record<string, number>> = {
      ...{ MESSAGES: folder.messages.length, UIDNEXT: folder.uidNext, UIDVALIDITY: folder.uidValidity },
      ...(options.condstore ? { HIGHESTMODSEQ: folder.highestModseq } : {}),
    };
    const pairs = items.map((item) => {
      const value = values[text(item).toUpperCase()];
      if (value === undefined) throw new ImapSyntaxError(`unknown status item ${text(item)}`);
      return `${text(item).toUpperCase()} ${value}`;
    });
    return ok('STATUS completed', [line(`STATUS ${quoted(encodeFolder(path))} (${pairs.join(' ')})`)]);
  }

  function search(args: readonly Argument[]): ImapAnswer {
    const folder = current();
    const keys = text(args[0]).toUpperCase() === 'CHARSET' ? args.slice(2) : args;
    const test = searchTest(keys, folder, isCondstore);
    const found = folder.messages.filter((message, at) => test(message, at + 1)).map(({ uid }) => uid);
    return ok('SEARCH completed', [line(['SEARCH', ...found].join(' '))]);
  }

  function fetch(args: readonly Argument[], by: 'uid' | 'number', rewrite: RewriteAnswer | undefined): ImapAnswer {
    const folder = current();
    const items = (Array.isArray(args[1]) ? args[1] : [args[1]]).map(text);
    const bodies = new Map<number, ReadonlyMap<string, unknown>>();
    const described = selectMessages(folder, text(args[0]), by).map(({ message, seq }) => {
      const root = parseMime(message.raw);
      // A response to UID FETCH contains the UID, requested or not.
      const values: Record<string, unknown> =
        by === 'uid' || items.some((item) => item.toUpperCase() === 'UID') ? { UID: message.uid } : {};
      const sections = new Map<string, unknown>();
      for (const item of items) {
        const name = item.toUpperCase();
        if (name === 'UID') continue;
        if (name === 'FLAGS') values.FLAGS = [...message.flags];
        else if (name === 'INTERNALDATE') values.INTERNALDATE = dateTimeOf(message.internalDate);
        else if (name === 'RFC822.SIZE') values['RFC822.SIZE'] = message.raw.length;
        else if (name === 'ENVELOPE') values.ENVELOPE = envelopeOf(root);
        else if (name === 'BODYSTRUCTURE') values.BODYSTRUCTURE = structureOf(root);
        else if (name === 'MODSEQ' && isCondstore) values.MODSEQ = [message.modseq];
        else {
          const [, , section, start, length] = SECTION.exec(item) ?? [];
          if (section === undefined) throw new ImapSyntaxError(`unknown item ${item}`);
          const bytes = sectionOf(root, section);
          const from = Number(start ?? 0);
          const origin = start === undefined ? '' : `<${start}>`;
          const end = length === undefined ? undefined : from + Number(length);
          sections.set(`BODY[${section}]${origin}`, bytes?.subarray(from, end) ?? null);
        }
      }
      bodies.set(seq, sections);
      return { seq, ...values };
    });
    const written: unknown = JSON.parse(rewrite?.(JSON.stringify(described)) ?? JSON.stringify(described));
    const rows = (Array.isArray(written) ? written : []).map((entry: unknown, at) => {
      if (typeof entry !== 'object' || entry === null) return line(`${at + 1} FETCH ${valueText(entry)}`);
      const { seq, ...values } = Object(entry);
      const sections = [...(bodies.get(Number(seq)) ?? [])];
      return fetchLine(Number(seq) || at + 1, new Map([...Object.entries(values), ...sections]));
    });
    return ok('FETCH completed', rows);
  }

  return {
    enable: () => {
      isCondstore = options.condstore;
    },
    /** Executes a command of the authenticated or selected state; undefined for an unknown one. */
    run: (name: string, args: readonly Argument[], rewrite: RewriteAnswer | undefined): ImapAnswer | undefined => {
      switch (name) {
        case 'LIST':
          return list(args, rewrite);
        case 'LSUB':
          return ok('LSUB completed');
        case 'EXAMINE':
          return examine(args);
        case 'STATUS':
          return status(args);
        case 'UID SEARCH':
          return search(args);
        case 'FETCH':
          return fetch(args, 'number', rewrite);
        case 'UID FETCH':
          return fetch(args, 'uid', rewrite);
        default:
          return undefined;
      }
    },
  };
}

export type MailboxCommands = ReturnType<typeof createMailboxCommands>;
