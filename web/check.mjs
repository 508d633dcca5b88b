// Checks the three documents against the schema of OpenAPI 3.1; test/contract checks what that schema cannot say.
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';

let broken = 0;
for (const name of ['v1', 'legacy', 'participant']) {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(join(import.meta.dirname, '..', 'openapi', `${name}.yaml`));
  if (!valid || validator.version !== '3.1') {
    broken++;
    console.error(`openapi/${name}.yaml is not valid OpenAPI 3.1:`, JSON.stringify(errors, null, 2));
  }
}
process.exitCode = broken > 0 ? 1 : 0;
