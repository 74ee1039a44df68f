import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { Agent } from '#api/types.ts';
import { t } from '#texts/texts.ts';
import { Checkbox } from '#ui/field.tsx';

/** Tools in one list. */
const MAX_TOOLS = 500;

const isOutside = (name: string) => name.includes('__');

/** The enabled tools of tool servers, and those that the agent already has. */
export function OutsideToolChoice({
  chosen,
  onChange,
}: {
  readonly chosen: Agent['tools'];
  readonly onChange: (tools: Agent['tools']) => void;
}) {
  // A key of restricted scope cannot list them: it sees only those of the agent.
  const { data: tools = [] } = useQuery({
    queryKey: ['tool-servers', 'all-tools'],
    queryFn: async ({ signal }) => {
      const found = [];
      for await (const tool of lectern().toolServers.allTools({ limit: 100 }, { signal })) {
        if (found.push(tool) === MAX_TOOLS) break;
      }
      return found;
    },
    retry: false,
  });
  const enabled = tools.filter(({ status }) => status === 'enabled');
  const names = [...new Set([...enabled.map(({ name }) => name), ...chosen.filter(isOutside)])].sort();
  const labelOf = (name: string) => {
    const tool = enabled.find((one) => one.name === name);
    if (tool === undefined) return t('agents.toolUnavailable', { name });
    return tool.changesSomething ? t('agents.toolNeedsApproval', { name }) : name;
  };
  return names.map((name) => (
    <Checkbox
      key={name}
      label={labelOf(name)}
      isChecked={chosen.includes(name)}
      onChange={(isOn) => onChange(isOn ? [...chosen, name] : chosen.filter((other) => other !== name))}
    />
  ));
}
