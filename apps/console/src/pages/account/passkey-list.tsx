import { useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import type { Account, Passkey } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { ConfirmPerson, isConfirmed } from '#pages/account/confirm-person.tsx';
import { canUsePasskeys, createPasskey, deviceName } from '#session/passkeys.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { dateText } from '#ui/time-text.ts';

function AddPasskey({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState(deviceName);
  const add = useChange(
    async () => {
      const { client } = lectern();
      const { options } = await client.call('startPasskey', {});
      return client.call('addPasskey', { body: await createPasskey(options, name) });
    },
    ['account'],
    onDone,
  );
  return (
    <Form mutation={add} label={t('account.passkeys.create')} isIncomplete={name.trim() === ''}>
      <TextField
        label={t('ui.name')}
        value={name}
        onChange={setName}
        hint={t('account.passkeys.nameHint')}
        error={issueOf(add.error, 'name')}
        required
        autoFocus
      />
    </Form>
  );
}

function PasskeyItem({
  passkey: { id, name, createdAt, lastUsedAt },
  onConfirm,
}: {
  readonly passkey: Passkey;
  /** Set if the person must sign in again first. */
  readonly onConfirm: (() => void) | undefined;
}) {
  const remove = useChange(() => lectern().client.call('deletePasskey', { path: { id } }), ['account']);
  return (
    <li className="card row row-apart">
      <div className="grow">
        <h3>{name}</h3>
        <p className="muted small">
          <RichText
            name="account.passkeys.times"
            values={{ day: dateText(createdAt) }}
            elements={{ used: <Ago time={lastUsedAt} /> }}
          />
        </p>
      </div>
      {onConfirm === undefined ? (
        <Confirm
          label={t('account.passkeys.remove')}
          question={t('account.passkeys.removeQuestion', { name })}
          done={t('account.passkeys.removed', { name })}
          mutation={remove}
        >
          <p>{t('account.passkeys.removeEffect')}</p>
        </Confirm>
      ) : (
        <Button isDanger onClick={onConfirm}>
          {t('account.passkeys.remove')}
        </Button>
      )}
    </li>
  );
}

/** The passkeys of the person. */
export function PasskeyList({ account }: { readonly account: Account }) {
  const [open, setOpen] = useState<'add' | 'confirm'>();
  const { passkeys } = account;
  const canChange = isConfirmed(account);
  const close = () => setOpen(undefined);
  const isPossible = account.canUsePasskeys && canUsePasskeys();
  return (
    <section className="stack" aria-labelledby="account-passkeys">
      <div className="row row-apart">
        <h2 id="account-passkeys">{t('account.passkeys.title')}</h2>
        {isPossible ? <Button onClick={() => setOpen('add')}>{t('account.passkeys.add')}</Button> : null}
      </div>
      <p className="muted">
        {t('account.passkeys.intro')}
        {isPossible ? '' : ` ${t('session.passkeysUnavailable')}`}
      </p>
      {passkeys.length === 0 ? null : (
        <ul className="plain-list">
          {passkeys.map((passkey) => (
            <PasskeyItem
              key={passkey.id}
              passkey={passkey}
              onConfirm={canChange ? undefined : () => setOpen('confirm')}
            />
          ))}
        </ul>
      )}
      <Sheet title={t('account.passkeys.addTitle')} side="middle" isOpen={open === 'add'} onOpenChange={close}>
        {canChange ? <AddPasskey onDone={close} /> : <ConfirmPerson account={account} />}
      </Sheet>
      <Sheet
        title={t('account.signInAgain')}
        side="middle"
        isOpen={open === 'confirm' && !canChange}
        onOpenChange={close}
      >
        <ConfirmPerson account={account} />
      </Sheet>
    </section>
  );
}
