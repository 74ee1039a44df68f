import { type Issue, invalidRequest } from '@lectern/service-kit';
import { PLACEHOLDER, type Template } from '#templates/template';

/** The maximum length of a variable's value, in code points. */
const MAX_VALUE = 2_000;

/** The texts of an agent, with the values of the variables. */
export interface FilledTemplate {
  readonly systemPrompt: string;
  readonly startMessage: string;
}

/**
 * Replaces the placeholders of a template. Placeholders within values are not replaced. Throws
 * `invalid_request` with every variable that is missing, unknown, too long or contains U+0000.
 */
export function fillTemplate(template: Template, inputs: Readonly<Record<string, string>>): FilledTemplate {
  const issues = issuesOf(template, inputs);
  if (issues.length > 0) throw invalidRequest(issues);
  const values = new Map(
    template.variables.map(({ name, default: usual = '' }) => [
      name,
      Object.hasOwn(inputs, name) ? inputs[name] : usual,
    ]),
  );
  const fill = (text: string) => text.replaceAll(PLACEHOLDER, (_place, name: string) => values.get(name) ?? '');
  return { systemPrompt: fill(template.systemPrompt), startMessage: fill(template.startMessage) };
}

function issuesOf({ variables }: Template, values: Readonly<Record<string, string>>): Issue[] {
  const known = new Map(variables.map((variable) => [variable.name, variable]));
  const names = [...known.keys()].join(', ') || 'none';
  const wrong = Object.entries(values).flatMap(([name, value]): Issue[] => {
    const path = `variables.${name}`;
    if (!known.has(name)) return [{ path, message: `is not a variable of this template. Its variables are: ${names}` }];
    if (value.trim() === '') return [{ path, message: 'must not be empty' }];
    if ([...value].length > MAX_VALUE) return [{ path, message: `must have at most ${MAX_VALUE} characters` }];
    return value.includes('\u0000') ? [{ path, message: 'must not contain the character U+0000' }] : [];
  });
  const missing = variables
    .filter(({ name, required }) => required && !Object.hasOwn(values, name))
    .map(({ name, description }) => ({ path: `variables.${name}`, message: `is required: ${description}` }));
  return [...wrong, ...missing];
}
