import type { OpenFolder } from '#imap/folders';
import type { Step } from '#imap/open-session';
import { SourceError } from '#source-error';

/** The messages of a range. Their UIDs fit several times into what one response may contain. */
const RANGE_MESSAGES = 50_000;
/** Its ranges fit into one command. */
const MAX_IN_FOLDER = 20_000_000;
/** A server also reports messages that were not requested. */
const UNREQUESTED_ROWS = 1_000;

/** UIDs of a folder, the first and the last included. */
export interface UidRange {
  readonly from: number;
  /** Undefined for the last range, which also contains messages that arrive later. */
  readonly to: number | undefined;
}

/** Returns the UIDs of the messages with these numbers; those of unreported messages are missing. */
async function uidsAt(step: Step, numbers: readonly number[]): Promise<readonly number[]> {
  const wanted = new Set(numbers);
  const uids = new Map<number, number>();
  const maxRows = 2 * numbers.length + UNREQUESTED_ROWS;
  await step(async (client) => {
    let count = 0;
    for await (const { seq, uid } of client.fetch([...numbers], { uid: true })) {
      count += 1;
      if (count > maxRows) {
        client.close();
        throw new SourceError('too_large', 'The IMAP server sent many more messages than requested.');
      }
      if (wanted.has(seq) && uid > 0) uids.set(seq, uid);
    }
    return uids;
  });
  return numbers.flatMap((number) => uids.get(number) ?? []);
}

/**
 * Splits the UIDs of the open folder into ranges with a limited number of messages. UIDs can have
 * large gaps, so the numbers of messages decide where a range ends. These numbers change when a
 * message is deleted; the UIDs of a range do not.
 */
export async function uidRanges(
  step: Step,
  { folder, exists }: OpenFolder,
): Promise<readonly [UidRange, ...UidRange[]]> {
  if (exists > MAX_IN_FOLDER) {
    throw new SourceError(
      'invalid',
      `The folder ${folder.name} has more than ${MAX_IN_FOLDER} messages, which is the limit. Exclude it in config.folders.`,
    );
  }
  const numbers: number[] = [];
  for (let number = RANGE_MESSAGES; number < exists; number += RANGE_MESSAGES) numbers.push(number);
  const ends = numbers.length === 0 ? [] : await uidsAt(step, numbers);
  const ordered = ends.filter((end, at) => ends.slice(0, at).every((before) => before < end));
  const starts = ordered.map((end) => end + 1);
  return [{ from: 1, to: ordered[0] }, ...starts.map((from, at) => ({ from, to: ordered[at + 1] }))];
}
