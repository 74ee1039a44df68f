import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Question } from '#pages/chat/use-chat.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { Button } from '#ui/button.tsx';
import { Collapsible } from '#ui/collapsible.tsx';
import { SelectField, TextArea } from '#ui/field.tsx';

const STALE_MS = 60_000;

/** The message form with its options: collection, agent and model. */
export function Composer({
  isAnswering,
  onAsk,
  onStop,
}: {
  readonly isAnswering: boolean;
  readonly onAsk: (question: Omit<Question, 'conversationId'>) => void;
  readonly onStop: () => void;
}) {
  const [message, setMessage] = useState('');
  const [collection, setCollection] = useState('');
  const [model, setModel] = useState('');
  const [agentId, setAgentId] = useState('');
  const collections = useCollections();
  const models = useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => lectern().chat.models({ signal }),
    staleTime: STALE_MS,
  });
  const agents = useQuery({
    queryKey: ['agents', 'choices'],
    queryFn: async ({ signal }) => (await lectern().agents.list({ limit: 100 }, { signal })).items,
    staleTime: STALE_MS,
  });
  const defaultModel = models.data?.find((candidate) => candidate.default)?.id;

  function ask() {
    if (message.trim() === '' || isAnswering) return;
    onAsk({
      message,
      ...(collection === '' ? {} : { collections: [collection] }),
      ...(model === '' ? {} : { model }),
      ...(agentId === '' ? {} : { agentId }),
    });
    setMessage('');
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    ask();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask();
  }

  return (
    <form className="composer" onSubmit={submit}>
      <TextArea
        label="Message"
        rows={2}
        value={message}
        onChange={setMessage}
        onKeyDown={onKeyDown}
        maxLength={32_000}
        placeholder="Ask about your documents. Press Enter to send, Shift+Enter for a new line."
      />
      <Collapsible label="Collection, agent and model">
        <div className="composer-options">
          <SelectField
            label="Collection"
            value={collection}
            onChange={setCollection}
            options={[
              { value: '', label: 'All collections' },
              ...(collections.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <SelectField
            label="Agent"
            value={agentId}
            onChange={setAgentId}
            options={[
              { value: '', label: 'None' },
              ...(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <SelectField
            label="Model"
            value={model}
            onChange={setModel}
            options={[
              { value: '', label: defaultModel === undefined ? 'Default' : `Default (${defaultModel})` },
              ...(models.data ?? []).map(({ id }) => ({ value: id, label: id })),
            ]}
          />
        </div>
      </Collapsible>
      <div className="row row-end">
        {isAnswering ? (
          <Button onClick={onStop}>Stop</Button>
        ) : (
          <Button type="submit" isPrimary disabled={message.trim() === ''}>
            Ask
          </Button>
        )}
      </div>
    </form>
  );
}
