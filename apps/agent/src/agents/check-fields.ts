import { AGENT_TOOLS, isAgentTool, isOutsideTool } from '@lectern/contracts';
import { type Issue, invalidRequest } from '@lectern/service-kit';
import { AGENT_LIMITS } from '#agents/limits';
import { isMemoryMode, MEMORY_MODES } from '#agents/memory-modes';

/** The fields of an agent in a request. Omitted fields are undefined. */
export interface AgentFields {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly systemPrompt?: string | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly collectionIds?: readonly string[] | undefined;
  readonly startMessage?: string | undefined;
  readonly memory?: string | undefined;
}

/** Validates the given fields. Throws `invalid_request` with all invalid ones. */
export function checkFields(fields: AgentFields): void {
  const issues = [
    ...textIssues('name', fields.name, { required: true }),
    ...textIssues('description', fields.description, { required: false }),
    ...textIssues('systemPrompt', fields.systemPrompt, { required: true }),
    ...textIssues('startMessage', fields.startMessage, { required: false }),
    ...toolIssues(fields.tools ?? []),
    ...memoryIssues(fields.memory),
  ];
  if ((fields.collectionIds?.length ?? 0) > AGENT_LIMITS.collections) {
    issues.push({ path: 'collections', message: `must have at most ${AGENT_LIMITS.collections} entries` });
  }
  if (issues.length > 0) throw invalidRequest(issues);
}

function textIssues(
  path: 'name' | 'description' | 'systemPrompt' | 'startMessage',
  text: string | undefined,
  { required }: { readonly required: boolean },
): Issue[] {
  if (text === undefined) return [];
  if (required && text.trim() === '') return [{ path, message: 'must not be empty' }];
  if (text.includes('\u0000')) return [{ path, message: 'must not contain the character U+0000' }];
  const max = AGENT_LIMITS[path];
  return [...text].length > max ? [{ path, message: `must have at most ${max} characters` }] : [];
}

function toolIssues(tools: readonly string[]): Issue[] {
  const message = `must be one of ${AGENT_TOOLS.join(', ')}, or the name of a tool of a tool server`;
  const issues = tools.flatMap((tool, at) =>
    isAgentTool(tool) || isOutsideTool(tool) ? [] : [{ path: `tools[${at}]`, message }],
  );
  if (tools.length > AGENT_LIMITS.tools) {
    issues.push({ path: 'tools', message: `must have at most ${AGENT_LIMITS.tools} entries` });
  }
  return issues;
}

function memoryIssues(memory: string | undefined): Issue[] {
  if (memory === undefined || isMemoryMode(memory)) return [];
  return [{ path: 'memory', message: `must be one of ${MEMORY_MODES.join(', ')}` }];
}
