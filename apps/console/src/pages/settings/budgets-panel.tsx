import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Budget } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { BudgetForm } from '#pages/settings/budget-form.tsx';
import { NewBudget } from '#pages/settings/new-budget.tsx';
import { Button } from '#ui/button.tsx';
import { Listing } from '#ui/listing.tsx';
import { moneyText } from '#ui/money-text.ts';
import { Sheet } from '#ui/sheet.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { type Column, Table } from '#ui/table.tsx';

const STATES: Readonly<Record<Budget['state'], readonly [status: string, label: string]>> = {
  ok: ['active', 'within limits'],
  soft_limit: ['limited', 'soft limit reached'],
  hard_limit: ['failed', 'used up'],
};

const tokens = (value: number) => value.toLocaleString('en');

/** Formats the limits of one unit. */
function limitsText(soft: number | null, hard: number | null, format: (value: number) => string): string {
  const parts = [soft === null ? '' : `warn at ${format(soft)}`, hard === null ? '' : `stop at ${format(hard)}`];
  return parts.filter((part) => part !== '').join(', ');
}

function limitsOf({ softTokens, hardTokens, softCost, hardCost }: Budget): string {
  const units = [
    [limitsText(softTokens, hardTokens, tokens), 'tokens'],
    [limitsText(softCost, hardCost, moneyText), 'cost'],
  ] as const;
  return units.flatMap(([text, unit]) => (text === '' ? [] : [`${unit}: ${text}`])).join('; ') || 'No limit';
}

const columnsOf = (onEdit: (budget: Budget) => void): readonly Column<Budget>[] => [
  {
    name: 'Name',
    cell: ({ name, kind }) => (
      <>
        {name} <span className="muted small">{kind === 'people' ? 'default' : kind}</span>
      </>
    ),
  },
  {
    name: 'Limits per month',
    cell: (budget) => (
      <>
        {limitsOf(budget)}
        {budget.isDefault && budget.kind === 'person' ? <span className="muted small"> (default)</span> : null}
      </>
    ),
  },
  {
    name: 'Tokens used',
    isNumber: true,
    cell: ({ kind, usedTokens }) => (kind === 'people' ? '–' : tokens(usedTokens)),
  },
  { name: 'Cost', isNumber: true, cell: ({ kind, usedCost }) => (kind === 'people' ? '–' : moneyText(usedCost)) },
  {
    name: 'State',
    cell: ({ kind, state }) =>
      kind === 'people' ? '–' : <StatusBadge status={STATES[state][0]} label={STATES[state][1]} />,
  },
  {
    name: '',
    cell: (budget) => (
      <Button aria-label={`Edit the budget of ${budget.name}`} onClick={() => onEdit(budget)}>
        Edit
      </Button>
    ),
  },
];

/** The budgets of people and keys. */
export function BudgetsPanel() {
  const [edited, setEdited] = useState<Budget>();
  const [isAdding, setIsAdding] = useState(false);
  const paging = usePaged(['budgets'], (page, options) => lectern().budgets.list({ page, limit: 20 }, options));
  return (
    <div className="stack">
      <div className="row row-apart">
        <p className="muted grow">
          Limits apply to a calendar month in UTC. From the soft limit on, Lectern warns. At the hard limit, chats and
          agent runs stop until the next month. Costs depend on the model prices.
        </p>
        <Button isPrimary onClick={() => setIsAdding(true)}>
          Add budget
        </Button>
      </div>
      <Listing paging={paging} what="budgets" empty={<p className="muted">No budgets yet.</p>}>
        {(items) => <Table caption="Budgets" columns={columnsOf(setEdited)} rows={items} keyOf={({ id }) => id} />}
      </Listing>
      <Sheet
        title={edited === undefined ? 'Budget' : `Budget of ${edited.name}`}
        side="middle"
        isOpen={edited !== undefined}
        onOpenChange={() => setEdited(undefined)}
      >
        {edited === undefined ? null : <BudgetForm budget={edited} onDone={() => setEdited(undefined)} />}
      </Sheet>
      <Sheet title="Add budget" side="middle" isOpen={isAdding} onOpenChange={setIsAdding}>
        <NewBudget
          onChoose={(budget) => {
            setIsAdding(false);
            setEdited(budget);
          }}
        />
      </Sheet>
    </div>
  );
}
