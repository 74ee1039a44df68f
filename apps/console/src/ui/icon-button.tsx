import type { ComponentProps } from 'react';
import { Icon, type IconName } from '#ui/icon.tsx';

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: IconName;
  /** The name of the action, also shown as a tooltip. */
  readonly label: string;
  /** Without a border and a background, for buttons next to text. */
  readonly isQuiet?: boolean;
}

/** A button that shows only an icon. */
export function IconButton({ icon, label, isQuiet, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`icon-button ${isQuiet ? 'icon-button-quiet' : ''} ${className ?? ''}`}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} />
    </button>
  );
}
