import { useId } from 'react';
import { t } from '#texts/texts.ts';

interface TextFileFieldProps {
  /** The types of files, as in the attribute of an input. */
  readonly accept: string;
  readonly hint?: string;
  readonly onText: (text: string) => void;
}

/** A field that reads the text of a file. */
export function TextFileField({ accept, hint, onText }: TextFileFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t('ui.file')}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        onChange={(event) => void event.target.files?.[0]?.text().then(onText)}
      />
      {hint !== undefined && <p className="hint">{hint}</p>}
    </div>
  );
}
