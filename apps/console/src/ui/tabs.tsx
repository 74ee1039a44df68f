import * as Tabs from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

/** The ids of elements contain it, and a space would end an id. */
const keyOf = (name: string) => name.replaceAll(' ', '-');

/** Tabs. Only the selected panel is rendered. */
export function TabSet({
  label,
  initial,
  tabs,
}: {
  readonly label: string;
  /** The name of the tab that is open first. Default: the first one. */
  readonly initial?: string;
  readonly tabs: readonly { readonly name: string; readonly content: ReactNode }[];
}) {
  return (
    <Tabs.Root defaultValue={keyOf(initial ?? tabs[0]?.name ?? '')}>
      <Tabs.List className="tabs-list" aria-label={label}>
        {tabs.map(({ name }) => (
          <Tabs.Trigger key={name} value={keyOf(name)}>
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ name, content }) => (
        <Tabs.Content key={name} value={keyOf(name)} className="tabs-panel">
          {content}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
