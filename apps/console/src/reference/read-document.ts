import { isRecord } from '#api/is-record.ts';
import { lecternWith } from '#api/lectern.ts';

/** The team and the address in the examples of the document. */
const EXAMPLE_TEAM = /team_[0-9a-z]{26}/;
const EXAMPLE_URL = 'http://localhost:8080';

/**
 * Reads the OpenAPI document, with this installation and the team of the signed-in person in its examples, so
 * that they can be sent as they are.
 */
export async function readDocument(): Promise<object> {
  const [response, teamId] = await Promise.all([fetch('/openapi.json'), ownTeam()]);
  if (!response.ok) throw new Error(`The server answered with the status ${response.status}.`);
  const text = (await response.text()).replaceAll(EXAMPLE_URL, location.origin);
  const example = EXAMPLE_TEAM.exec(text)?.[0];
  const filled = teamId === undefined || example === undefined ? text : text.replaceAll(example, teamId);
  // The page would send the examples of optional parameters: a filter, a signature that fits no request.
  return JSON.parse(filled, (_name, value: unknown) => (isOptionalParameter(value) ? withoutExample(value) : value));
}

const isOptionalParameter = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && (value.in === 'query' || value.in === 'header') && value.required !== true && 'schema' in value;

const withoutExample = ({ example: _example, ...parameter }: Readonly<Record<string, unknown>>) => parameter;

/** The team of the person who is signed in. Undefined if no one is. */
async function ownTeam(): Promise<string | undefined> {
  try {
    return (await lecternWith().keys.own()).teamId;
  } catch {
    return undefined;
  }
}
