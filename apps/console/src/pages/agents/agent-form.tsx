import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { call } from '#api/request.ts';
import type { Agent, AgentRecord } from '#api/types.ts';
import { STANDARD_TOOLS, TOOLS } from '#pages/agents/tools.ts';
import { CollectionChoice } from '#pages/collections/collection-choice.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '#ui/field.tsx';

const MEMORY = [
  { value: 'off', label: 'Remember nothing' },
  { value: 'recall', label: 'Use what it was told to remember' },
  { value: 'auto', label: 'Remember by itself too' },
];

/** Makes an agent, or changes the one that is given. */
export function AgentForm({
  agent,
  onDone,
}: {
  readonly agent?: AgentRecord;
  readonly onDone: (agent: Agent) => void;
}) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(agent?.name ?? '');
  const [description, setDescription] = useState(agent?.description ?? '');
  const [systemPrompt, setSystemPrompt] = useState(agent?.systemPrompt ?? '');
  const [startMessage, setStartMessage] = useState(agent?.startMessage ?? '');
  const [memory, setMemory] = useState(agent?.memory ?? 'recall');
  const [tools, setTools] = useState<readonly string[]>(agent?.tools ?? STANDARD_TOOLS);
  const [collections, setCollections] = useState<readonly string[]>(agent?.collections ?? []);
  const save = useMutation({
    mutationFn: () => {
      const body = { name, description, systemPrompt, startMessage, memory, tools, collections };
      return agent === undefined
        ? call<Agent>('POST', '/api/v1/agents', { body })
        : call<Agent>('PUT', `/api/v1/agents/${agent.id}`, { body });
    },
    onSuccess: (saved) => {
      void queryClient.invalidateQueries({ queryKey: ['agents'] });
      onDone(saved);
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate();
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        required
        maxLength={200}
        error={issueOf(save.error, 'name')}
      />
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
      </fieldset>
      <CollectionChoice
        label="Collections (none: all that the key reaches)"
        chosen={collections}
        onChange={setCollections}
      />
      <SelectField label="Memory" value={memory} options={MEMORY} onChange={setMemory} />
      {save.error ? <ErrorNotice error={save.error} /> : null}
      {save.isSuccess && agent !== undefined ? (
        <p className="notice notice-good" role="status">
          Saved.
        </p>
      ) : null}
      <div className="row row-end">
        <Button
          type="submit"
          isPrimary
          isBusy={save.isPending}
          disabled={name.trim() === '' || systemPrompt.trim() === ''}
        >
          {agent === undefined ? 'Create' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
