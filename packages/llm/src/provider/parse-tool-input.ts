import { storableJson, storableText } from '@lectern/text';
import { z } from 'zod';

const object = z.record(z.string(), z.unknown());

/** What a model wrote as a tool's input. */
export interface ToolInput {
  readonly input: Readonly<Record<string, unknown>>;
  /** The text itself, where it is no JSON object; `input` is then empty. */
  readonly malformed?: string;
}

/** Reads a tool's input from the JSON that a model wrote, fit to be stored; nothing at all is an empty object. */
export function parseToolInput(json: string): ToolInput {
  if (json.trim() === '') return { input: {} };
  try {
    return { input: object.parse(storableJson(JSON.parse(json))) };
  } catch {
    return { input: {}, malformed: storableText(json) };
  }
}
