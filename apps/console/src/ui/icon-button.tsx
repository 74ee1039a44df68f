import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from '#ui/icon.tsx';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  /** The name of the action, also shown as a tooltip. */
  readonly label: string;
}

/** A button that shows only an icon. */
export function IconButton({ icon, label, className = 'icon-button', ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={className} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}
