import { z } from 'zod';
import { recognizedPage, wordBox } from '#ocr/recognized-page';
import { parseErrorCodes } from '#parse-error';
import { maxPagesWithWords, maxWordBytes } from '#words/page-words';

const file = {
  fileName: z.string(),
  mimeType: z.string().exactOptional(),
  sizeBytes: z.int().min(0),
};

const parseTask = z.strictObject({
  type: z.literal('parse'),
  ...file,
  limits: z.strictObject({ maxTextChars: z.int().positive(), maxInflatedBytes: z.int().positive() }),
  /** Absent if text recognition is off. */
  ocr: z
    .strictObject({
      /** The recognized pages; absent in the first request for a file. */
      recognized: z.array(recognizedPage).readonly().exactOptional(),
      unreadPages: z.array(z.int().min(1)).readonly(),
    })
    .exactOptional(),
});

const recognizeTask = z.strictObject({
  type: z.literal('recognize'),
  ...file,
  page: z.int().min(1),
  languages: z.array(z.string()).min(1).readonly(),
  maxPixels: z.int().positive(),
});

const renderTask = z.strictObject({
  type: z.literal('render'),
  ...file,
  page: z.int().min(1),
  maxPixels: z.int().positive(),
});

/** Host to child: exactly `sizeBytes` of a file follow on standard input. */
export const workerRequest = z.discriminatedUnion('type', [parseTask, recognizeTask, renderTask]);
export type WorkerRequest = z.infer<typeof workerRequest>;

type TaskOf<T extends WorkerRequest> = Omit<T, keyof typeof file>;
/** What to do with a file. */
export type WorkerTask =
  | TaskOf<z.infer<typeof parseTask>>
  | TaskOf<z.infer<typeof recognizeTask>>
  | TaskOf<z.infer<typeof renderTask>>;

const offsets = z.array(z.int().min(0)).readonly();
const confidence = z.number().min(0).max(100);
const pageNumbers = z.array(z.int().min(1)).readonly();

const recognition = z.strictObject({
  confidence,
  pages: z.array(z.strictObject({ page: z.int().min(1), confidence, words: z.array(wordBox).readonly() })).readonly(),
  unreadPages: pageNumbers,
});

const pageWords = z
  .array(
    z.strictObject({
      page: z.int().min(1),
      width: z.number().min(0),
      height: z.number().min(0),
      start: z.int().min(0),
      end: z.int().min(0),
      words: z.custom<Uint8Array>((bytes) => bytes instanceof Uint8Array && bytes.length <= maxWordBytes),
    }),
  )
  .max(maxPagesWithWords)
  .readonly();

const parsedDocument = z.strictObject({
  text: z.string(),
  title: z.string().exactOptional(),
  pageOffsets: offsets.exactOptional(),
  pageWords: pageWords.exactOptional(),
  recognition: recognition.exactOptional(),
  metadata: z.strictObject({
    mimeType: z.string(),
    author: z.string().exactOptional(),
    pages: z.int().min(0).exactOptional(),
    language: z.string().exactOptional(),
    createdAt: z.string().exactOptional(),
    modifiedAt: z.string().exactOptional(),
    description: z.string().exactOptional(),
    keywords: z.array(z.string()).readonly().exactOptional(),
    charset: z.string().exactOptional(),
    attachments: z.array(z.string()).readonly().exactOptional(),
  }),
});

/** Child to host. The child has parsed untrusted bytes, so the host validates every message. */
export const workerMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('parsed'), document: parsedDocument, rssBytes: z.number() }),
  /** The file has pages that must be recognized before it can be parsed. */
  z.strictObject({ type: z.literal('ocr_needed'), pages: pageNumbers, rssBytes: z.number() }),
  z.strictObject({ type: z.literal('recognized'), page: recognizedPage, rssBytes: z.number() }),
  z.strictObject({
    type: z.literal('rendered'),
    image: z.strictObject({
      png: z.custom<Uint8Array>((bytes) => bytes instanceof Uint8Array),
      width: z.int().positive(),
      height: z.int().positive(),
    }),
    rssBytes: z.number(),
  }),
  z.strictObject({
    type: z.literal('failed'),
    code: z.enum(parseErrorCodes),
    message: z.string(),
    rssBytes: z.number(),
  }),
]);
export type WorkerMessage = z.infer<typeof workerMessage>;
