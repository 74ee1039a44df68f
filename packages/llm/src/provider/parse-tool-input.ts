import { storableJson, storableText } from '@lectern/text';
import { z } from 'zod';

const object = z.record(z.string(), z.unknown());

export interface ToolInput {
  readonly input: Readonly<Record<string, unknown>>;
  /** The text that the model wrote, if it is not a JSON object. `input` is then empty. */
  readonly malformed?: string;
}

/**
 * Parses the JSON that a model wrote as a tool's input, without what PostgreSQL cannot store. An
 * empty text is an empty object.
 */
export function parseToolInput(json: string): ToolInput {
  if (json.trim() === '') return { input: {} };
  try {
    return { input: object.parse(storableJson(JSON.parse(json))) };
  } catch {
    return { input: {}, malformed: storableText(json) };
  }
}
