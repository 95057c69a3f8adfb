package template_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What need not be in the vault, although it outlives the stack.
var rebuilt = map[string]string{
	"ConsoleTable": "it shows what the other tables and the logs tell, too; point-in-time recovery keeps its audit log",
	"OutboxTable":  "its rows live for a moment, and housekeeping finds work that lost its message",
}

// lifetimes returns how many days the vault keeps the copies of each selected table.
func (d deployed) lifetimes(t *testing.T) map[string]int {
	t.Helper()
	days := map[string]int{}
	for id, s := range d.ofType("AWS::Backup::BackupSelection") {
		assert.Equal(t, "IsDurable", s["Condition"], id)
		plan, _ := at(s, "Properties", "BackupPlanId", "Ref").(string)
		rules, _ := at(d.resources[plan], "Properties", "BackupPlan", "BackupPlanRule").([]any)
		require.Len(t, rules, 1, id)
		for _, table := range named(at(s, "Properties", "BackupSelection", "Resources")) {
			assert.Zero(t, days[table], "%s is selected twice", table)
			days[table], _ = at(rules[0], "Lifecycle", "DeleteAfterDays").(int)
		}
	}
	return days
}

func TestWhatCannotBeRebuiltIsInTheVault(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	days := d.lifetimes(t)
	for id := range d.ofType("AWS::DynamoDB::Table") {
		needed := shortLived[id] == "" && rebuilt[id] == ""
		assert.Equal(t, needed, days[id] > 0, id)
	}
	role := named(at(d.resources["BackupRole"], "Properties", "Policies"))
	for id := range days {
		assert.Contains(t, role, id, "the role may not copy it")
	}
}

// The lock refuses copies that live longer or shorter, so a job with such a plan would fail.
func TestTheVaultIsLocked(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	vaults := d.ofType("AWS::Backup::BackupVault")
	require.Len(t, vaults, 1)
	for id, v := range vaults {
		assert.Equal(t, "IsDurable", v["Condition"])
		assert.Equal(t, "RetainExceptOnCreate", v["DeletionPolicy"])
		assert.Nil(t, at(v, "Properties", "EncryptionKeyArn"), "AWS's own key cannot be deleted; ours can, and with it the tables")
		lock := at(v, "Properties", "LockConfiguration")
		for table, days := range d.lifetimes(t) {
			assert.GreaterOrEqual(t, days, at(lock, "MinRetentionDays"), table)
			assert.LessOrEqual(t, days, at(lock, "MaxRetentionDays"), table)
		}
		assert.Equal(t, 35, at(lock, "MaxRetentionDays"), "docs/reliability.md: erased users are gone from backups after 35 days")
		for plan, p := range d.ofType("AWS::Backup::BackupPlan") {
			assert.Equal(t, "IsDurable", p["Condition"], plan)
			rule := list(at(p, "Properties", "BackupPlan", "BackupPlanRule"))[0]
			assert.Equal(t, []string{id}, named(at(rule, "TargetBackupVault")), plan)
		}
	}
}

// With ChangeableForDays, nobody can take the lock off again once the days are over.
func TestAFinalLockIsAskedFor(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	assert.Equal(t, "governance", at(d.parameters["BackupLock"], "Default"))
	assert.Equal(t, map[string]any{"Fn::Equals": []any{map[string]any{"Ref": "BackupLock"}, "compliance"}}, d.conditions["HasFinalLock"])
	final := at(d.resources["BackupVault"], "Properties", "LockConfiguration", "ChangeableForDays", "Fn::If")
	choice, _ := final.([]any)
	require.Len(t, choice, 3)
	assert.Equal(t, []any{"HasFinalLock", map[string]any{"Ref": "AWS::NoValue"}}, []any{choice[0], choice[2]})
	assert.GreaterOrEqual(t, choice[1], 3, "AWS's least")
}

// A job that fails is counted, but one that never starts is not.
func TestMissingBackupsRaiseAnAlarm(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	daily := named(at(d.resources["DailyBackupSelection"], "Properties", "BackupSelection", "Resources"))
	missing := d.resources["BackupsMissing"]
	assert.Equal(t, []any{"NumberOfBackupJobsCompleted", "LessThanThreshold", len(daily), "breaching"}, []any{
		at(missing, "Properties", "MetricName"), at(missing, "Properties", "ComparisonOperator"),
		at(missing, "Properties", "Threshold"), at(missing, "Properties", "TreatMissingData"),
	})
	assert.Equal(t, map[string]any{
		"NumberOfBackupJobsCompleted": "HasBackupAlarms", "NumberOfBackupJobsFailed": "HasBackupAlarms",
		"NumberOfCopyJobsFailed": "HasBackupCopyAlarms",
	}, d.alarmed("BackupVault"))
}
