import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { issueOf } from '#api/issue-of.ts';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { type Branding, showBranding } from '#branding/branding.ts';
import { BrandingPreview } from '#pages/settings/branding-preview.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { QueryView } from '#ui/query-view.tsx';

const COLOR = /^#[0-9a-f]{6}$/i;
const OWN_COLOR = '#4338ca';
const MAX_LOGO_BYTES = 100 * 1024;

/** Reads a file as Base64. */
function toBase64(file: File): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result).replace(/^.*?,/, ''));
    reader.onerror = () => reject(new Error(t('settings.branding.unreadable')));
    reader.readAsDataURL(file);
  });
}

/** A chosen file. Null removes the logo, undefined keeps it. */
type ChosenLogo = File | null | undefined;

function LogoField({
  isSet,
  chosen,
  error,
  onChoose,
}: {
  readonly isSet: boolean;
  readonly chosen: ChosenLogo;
  readonly error: string | undefined;
  readonly onChoose: (logo: ChosenLogo) => void;
}) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const hasLogo = chosen === undefined ? isSet : chosen !== null;
  const shown = problem ?? error;
  return (
    <div className="field">
      <label htmlFor={id}>{t('settings.branding.logo')}</label>
      <div className="row">
        <input
          id={id}
          className="grow"
          type="file"
          accept="image/png,image/webp,image/svg+xml"
          aria-describedby={`${id}-hint${shown ? ` ${id}-error` : ''}`}
          {...(shown ? { 'aria-invalid': true } : {})}
          onChange={(event) => {
            const file = event.target.files?.[0];
            const isLarge = file !== undefined && file.size > MAX_LOGO_BYTES;
            setProblem(isLarge ? t('settings.branding.tooLarge') : undefined);
            onChoose(isLarge ? undefined : file);
          }}
        />
        {hasLogo ? <Button onClick={() => onChoose(null)}>{t('settings.branding.removeLogo')}</Button> : null}
      </div>
      <p id={`${id}-hint`} className="hint">
        {t('settings.branding.logoHint')}
        {chosen ? ` ${t('settings.branding.logoChosen', { file: chosen.name })}` : ''}
        {chosen === null ? ` ${t('settings.branding.logoRemoved')}` : ''}
      </p>
      {shown ? (
        <p id={`${id}-error`} className="field-error">
          {shown}
        </p>
      ) : null}
    </div>
  );
}

function BrandingForm({ current }: { readonly current: Branding }) {
  const [name, setName] = useState(current.name ?? '');
  const [accent, setAccent] = useState(current.accent ?? '');
  const [logo, setLogo] = useState<ChosenLogo>();
  const show = (saved: Branding) => {
    setName(saved.name ?? '');
    setAccent(saved.accent ?? '');
    setLogo(undefined);
    showBranding(saved);
  };
  const save = useChange(
    async () =>
      lectern().branding.update({
        name: name.trim() === '' ? null : name,
        accent: accent.trim() === '' ? null : accent.trim(),
        ...(logo === undefined ? {} : { logo: logo === null ? null : await toBase64(logo) }),
      }),
    ['branding'],
    show,
  );
  const reset = useChange(
    () => lectern().branding.update({ name: null, accent: null, logo: null }),
    ['branding'],
    show,
  );
  const color = COLOR.test(accent.trim()) ? accent.trim() : undefined;
  return (
    <div className="stack">
      <Form
        mutation={save}
        label={t('settings.save')}
        done={t('settings.branding.saved')}
        actions={
          <Confirm
            label={t('settings.branding.reset')}
            question={t('settings.branding.resetQuestion')}
            done={t('settings.branding.resetDone')}
            mutation={reset}
          >
            <p>{t('settings.branding.resetEffect')}</p>
          </Confirm>
        }
      >
        <p className="muted">{t('settings.branding.help')}</p>
        <div className="form-grid">
          <TextField
            label={t('ui.name')}
            value={name}
            onChange={setName}
            maxLength={60}
            placeholder="Lectern"
            error={issueOf(save.error, 'name')}
          />
          <div className="row">
            <div className="grow">
              <TextField
                label={t('settings.branding.color')}
                value={accent}
                onChange={setAccent}
                placeholder={OWN_COLOR}
                spellCheck={false}
                error={issueOf(save.error, 'accent')}
              />
            </div>
            <input
              type="color"
              className="color-input"
              aria-label={t('settings.branding.chooseColor')}
              value={color ?? OWN_COLOR}
              onChange={(event) => setAccent(event.target.value)}
            />
          </div>
        </div>
        <LogoField
          isSet={current.logoUrl !== null}
          chosen={logo}
          error={issueOf(save.error, 'logo')}
          onChoose={setLogo}
        />
        <BrandingPreview name={name.trim() === '' ? 'Lectern' : name} accent={color} />
      </Form>
    </div>
  );
}

/** The name, the logo and the color of the team. */
export function BrandingPanel() {
  const branding = useQuery({
    queryKey: ['branding'],
    queryFn: ({ signal }) => lectern().branding.get({ signal }),
  });
  return (
    <QueryView query={branding} what={t('settings.branding.what')}>
      {(current) => <BrandingForm current={current} />}
    </QueryView>
  );
}
