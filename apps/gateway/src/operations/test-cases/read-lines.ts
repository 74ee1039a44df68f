import { testCases } from '@lectern/api-spec';
import type { TestCaseInput } from '@lectern/contracts';
import { type Issue, invalidRequest, MAX_ISSUES } from '@lectern/service-kit';
import { testCaseInput } from '#operations/test-cases/mapping';

const MAX_LINES = 1_000;

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Reads test cases from JSON Lines. Throws `invalid_request` with the invalid lines. */
export function readTestCaseLines(text: string): TestCaseInput[] {
  const lines = text.split(/\r?\n/).flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  if (lines.length > MAX_LINES)
    throw invalidRequest([{ path: 'text', message: `must have at most ${MAX_LINES} lines` }]);
  const issues: Issue[] = [];
  const inputs: TestCaseInput[] = [];
  for (const { line, number } of lines) {
    const value = parseJson(line);
    const parsed = testCases.importedTestCase.safeParse(value);
    if (value === undefined) issues.push({ path: 'text', message: `line ${number}: must be a JSON object` });
    else if (parsed.success) inputs.push(testCaseInput(parsed.data));
    else {
      const [issue] = parsed.error.issues;
      issues.push({ path: 'text', message: `line ${number}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` });
    }
    if (issues.length === MAX_ISSUES) break;
  }
  if (issues.length > 0) throw invalidRequest(issues);
  return inputs;
}
