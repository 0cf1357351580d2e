import { Option } from 'commander';

export function budgetOption(): Option {
  return new Option('--budget <list>', 'what may be spent, such as steps=50,usd=2,tokens=200000,minutes=30');
}
