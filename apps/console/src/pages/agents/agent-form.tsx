import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Agent, AgentRecord } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { OutsideToolChoice } from '#pages/agents/outside-tool-choice.tsx';
import { DEFAULT_TOOLS, TOOLS } from '#pages/agents/tools.ts';
import { CollectionChoice } from '#pages/collections/collection-choice.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { NameField } from '#ui/name-field.tsx';

const MEMORY = [
  { value: 'off', label: 'Off' },
  { value: 'recall', label: 'Recall saved memories' },
  { value: 'auto', label: 'Recall and save memories automatically' },
] as const;

/** Creates or edits an agent. */
export function AgentForm({
  agent,
  onDone,
}: {
  readonly agent?: AgentRecord;
  readonly onDone: (agent: Agent) => void;
}) {
  const [name, setName] = useState(agent?.name ?? '');
  const [description, setDescription] = useState(agent?.description ?? '');
  const [systemPrompt, setSystemPrompt] = useState(agent?.systemPrompt ?? '');
  const [startMessage, setStartMessage] = useState(agent?.startMessage ?? '');
  const [memory, setMemory] = useState<Agent['memory']>(agent?.memory ?? 'recall');
  const [tools, setTools] = useState<Agent['tools']>(agent?.tools ?? DEFAULT_TOOLS);
  const [collections, setCollections] = useState<readonly string[]>(agent?.collections ?? []);
  const save = useChange<Agent>(
    () => {
      const body = { name, description, systemPrompt, startMessage, memory, tools, collections: [...collections] };
      return agent === undefined ? lectern().agents.create(body) : lectern().agents.update(agent.id, body);
    },
    ['agents'],
    onDone,
  );
  return (
    <Form
      mutation={save}
      label={agent === undefined ? 'Create' : 'Save'}
      isIncomplete={name.trim() === '' || systemPrompt.trim() === ''}
      done={agent === undefined ? undefined : 'The agent is saved.'}
    >
      <NameField value={name} onChange={setName} error={save.error} />
      <TextField label="Description" value={description} onChange={setDescription} />
      <TextArea
        label="Instructions"
        value={systemPrompt}
        onChange={setSystemPrompt}
        rows={7}
        required
        placeholder="You help people who …"
        error={issueOf(save.error, 'systemPrompt')}
      />
      <TextArea label="Greeting" value={startMessage} onChange={setStartMessage} rows={2} />
      <fieldset>
        <legend>Tools</legend>
        {TOOLS.map((tool) => (
          <Checkbox
            key={tool.name}
            label={tool.label}
            isChecked={tools.includes(tool.name)}
            onChange={(isOn) => setTools(isOn ? [...tools, tool.name] : tools.filter((other) => other !== tool.name))}
          />
        ))}
        <OutsideToolChoice chosen={tools} onChange={setTools} />
      </fieldset>
      <CollectionChoice
        label="Collections (default: all that the key can access)"
        chosen={collections}
        onChange={setCollections}
      />
      <SelectField
        label="Memory"
        value={memory}
        options={MEMORY}
        onChange={(chosen) => setMemory(MEMORY.find(({ value }) => value === chosen)?.value ?? 'recall')}
      />
    </Form>
  );
}
