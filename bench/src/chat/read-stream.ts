/** The arrival times of a streamed response (`performance.now()`). */
export interface StreamTimes {
  readonly askedAt: number;
  /** The first event with text. */
  readonly firstContentAt: number;
  /** The longest wait between two pieces after the first content. */
  readonly longestGapMs: number;
  readonly text: string;
}

/** Sends a JSON request and reads its stream. `marks` identifies the first piece with content. */
export async function readStream(
  url: string,
  { body, key, marks, signal }: { body: unknown; key?: string; marks: string; signal: AbortSignal },
): Promise<StreamTimes> {
  const askedAt = performance.now();
  const headers = {
    'Content-Type': 'application/json',
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
  if (!response.ok || response.body === null)
    throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  let text = '';
  let firstContentAt: number | undefined;
  let lastAt = 0;
  let longestGapMs = 0;
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const now = performance.now();
    text += piece;
    if (firstContentAt === undefined) {
      if (!text.includes(marks)) continue;
      firstContentAt = now;
    } else longestGapMs = Math.max(longestGapMs, now - lastAt);
    lastAt = now;
  }
  if (firstContentAt === undefined) throw new Error(`The stream contains no content: ${text.slice(-300)}`);
  return { askedAt, firstContentAt, longestGapMs, text };
}
