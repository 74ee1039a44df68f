import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { Budget } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { BudgetForm } from '#pages/settings/budget-form.tsx';
import { NewBudget } from '#pages/settings/new-budget.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Listing } from '#ui/listing.tsx';
import { moneyText } from '#ui/money-text.ts';
import { numberText } from '#ui/number-text.ts';
import { Sheet } from '#ui/sheet.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { type Column, Table } from '#ui/table.tsx';

/** The statuses whose colors the states have. */
const STATUSES: Readonly<Record<Budget['state'], string>> = {
  ok: 'active',
  soft_limit: 'limited',
  hard_limit: 'failed',
};

/** The API names the default in English. */
const nameOf = ({ kind, name }: Budget) => (kind === 'people' ? t('settings.budgets.allPeople') : name);

/** Formats the limits of one unit. */
function limitsText(
  unit: 'tokens' | 'cost',
  soft: number | null,
  hard: number | null,
  format: (value: number) => string,
): string {
  if (soft !== null && hard !== null)
    return t(`settings.budgets.limits.${unit}.both`, { soft: format(soft), hard: format(hard) });
  if (soft !== null) return t(`settings.budgets.limits.${unit}.soft`, { soft: format(soft) });
  return hard === null ? '' : t(`settings.budgets.limits.${unit}.hard`, { hard: format(hard) });
}

function limitsOf({ softTokens, hardTokens, softCost, hardCost }: Budget): string {
  const units = [
    limitsText('tokens', softTokens, hardTokens, numberText),
    limitsText('cost', softCost, hardCost, moneyText),
  ];
  return units.filter((text) => text !== '').join('; ') || t('settings.budgets.limits.none');
}

const columnsOf = (onEdit: (budget: Budget) => void): readonly Column<Budget>[] => [
  {
    name: t('ui.name'),
    cell: (budget) => (
      <>
        {nameOf(budget)} <span className="muted small">{t(`settings.budgets.kinds.${budget.kind}`)}</span>
      </>
    ),
  },
  {
    name: t('settings.budgets.perMonth'),
    cell: (budget) => (
      <>
        {limitsOf(budget)}
        {budget.isDefault && budget.kind === 'person' ? (
          <span className="muted small"> {t('settings.budgets.default')}</span>
        ) : null}
      </>
    ),
  },
  {
    name: t('settings.budgets.tokensUsed'),
    isNumber: true,
    cell: ({ kind, usedTokens }) => (kind === 'people' ? '–' : numberText(usedTokens)),
  },
  {
    name: t('settings.budgets.cost'),
    isNumber: true,
    cell: ({ kind, usedCost }) => (kind === 'people' ? '–' : moneyText(usedCost)),
  },
  {
    name: t('settings.budgets.state'),
    cell: ({ kind, state }) =>
      kind === 'people' ? '–' : <StatusBadge status={STATUSES[state]} label={t(`settings.budgets.states.${state}`)} />,
  },
  {
    name: '',
    cell: (budget) => (
      <Button aria-label={t('settings.budgets.editOf', { name: nameOf(budget) })} onClick={() => onEdit(budget)}>
        {t('settings.budgets.edit')}
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
        <p className="muted grow">{t('settings.budgets.help')}</p>
        <Button isPrimary onClick={() => setIsAdding(true)}>
          {t('settings.budgets.add')}
        </Button>
      </div>
      <Listing
        paging={paging}
        what={t('settings.budgets.what')}
        empty={<p className="muted">{t('settings.budgets.none')}</p>}
      >
        {(items) => (
          <Table
            caption={t('settings.budgets.title')}
            columns={columnsOf(setEdited)}
            rows={items}
            keyOf={({ id }) => id}
          />
        )}
      </Listing>
      <Sheet
        title={
          edited === undefined ? t('settings.budgets.sheet') : t('settings.budgets.sheetOf', { name: nameOf(edited) })
        }
        side="middle"
        isOpen={edited !== undefined}
        onOpenChange={() => setEdited(undefined)}
      >
        {edited === undefined ? null : <BudgetForm budget={edited} onDone={() => setEdited(undefined)} />}
      </Sheet>
      <Sheet title={t('settings.budgets.add')} side="middle" isOpen={isAdding} onOpenChange={setIsAdding}>
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
