// A reporter of vitest: which tests needed more than one try. Written as JSON to FLIGHTPLAN_RETRIES.
import { writeFileSync } from 'node:fs'

export default class Retries {
  #found = []

  onTestCaseResult(test) {
    const retries = test.diagnostic()?.retryCount ?? 0
    if (retries > 0) this.#found.push({ name: `${test.module.relativeModuleId} > ${test.fullName}`, retries })
  }

  onTestRunEnd() {
    writeFileSync(process.env.FLIGHTPLAN_RETRIES, JSON.stringify(this.#found))
  }
}
