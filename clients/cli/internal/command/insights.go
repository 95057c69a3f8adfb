package command

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	aviso "aviso.example/client"
)

func (a *app) categories() *cobra.Command {
	return a.command("categories", "List the categories of transactions", func(ctx context.Context, _ []string) error {
		client, err := a.client()
		if err != nil {
			return err
		}
		categories, err := client.Transactions.ListCategories(ctx)
		if err != nil {
			return err
		}
		var rows [][]string
		for _, c := range categories {
			rows = append(rows, []string{strconv.Itoa(c.CategoryID), c.CategoryName})
			for _, s := range c.Subcategories {
				rows = append(rows, []string{strconv.Itoa(s.SubcategoryID), s.SubcategoryName})
			}
		}
		return a.show(categories, []string{"CATEGORY ID", "NAME"}, rows)
	})
}

func (a *app) insights() *cobra.Command {
	user := ""
	var params aviso.ListCategoryInsightsParams
	cmd := a.command("insights", "Show what a user spends on, or earns from, by category", func(ctx context.Context, _ []string) error {
		view, err := a.actingFor(user)
		if err != nil {
			return err
		}
		found, err := view.Insights.ListCategories(ctx, &params)
		if err != nil {
			return err
		}
		return list(a, "transactions", found.Data.Insights, []string{"FROM", "CATEGORY", "AMOUNT", "CURRENCY", "TRANSACTIONS"},
			func(i aviso.CategoryInsight) []string {
				return []string{i.PeriodStart, i.Category.Name, i.Amount.String(), i.CurrencyCode, strconv.Itoa(i.NumberOfTransactions)}
			})
	})
	cmd.Flags().StringVar(&params.TransactionType, "type", "Expense", "Income or Expense")
	cmd.Flags().StringVar(&params.Granularity, "granularity", "monthly",
		"length of a period: daily, weekly, monthly, quarterly, yearly or alltime")
	cmd.Flags().StringVar(&params.DateFrom, "from", "", "first day, such as 2026-01-31")
	cmd.Flags().StringVar(&params.DateTo, "to", "", "last day")
	cmd.AddCommand(a.savings(), a.prices())
	return a.userFlag(cmd, &user)
}

func (a *app) savings() *cobra.Command {
	user := ""
	cmd := a.command("savings", "Show what a user's cancelled contracts save", func(ctx context.Context, _ []string) error {
		view, err := a.actingFor(user)
		if err != nil {
			return err
		}
		found, err := view.Insights.ListSavings(ctx)
		if err != nil {
			return err
		}
		var rows [][]string
		for _, s := range found {
			for _, c := range s.Contracts {
				rows = append(rows, []string{
					c.Merchant.Name, c.EndDate, c.YearlySaving.String(), c.SavedSoFar.String(), s.CurrencyCode, c.CancellationID,
				})
			}
		}
		return a.show(found, []string{"MERCHANT", "ENDED", "A YEAR", "SO FAR", "CURRENCY", "CANCELLATION ID"}, rows)
	})
	return a.userFlag(cmd, &user)
}

func (a *app) prices() *cobra.Command {
	user := ""
	var params aviso.ListPriceChangesParams
	cmd := a.command("prices", "Show how prices of a user's contracts changed", func(ctx context.Context, _ []string) error {
		view, err := a.actingFor(user)
		if err != nil {
			return err
		}
		found, err := view.Insights.ListPriceChanges(ctx, &params)
		if err != nil {
			return err
		}
		var rows [][]string
		for _, c := range found {
			rows = append(rows, []string{
				c.Merchant.Name, c.Since, c.OldAmount.String(), c.NewAmount.String(), c.CurrencyCode, c.Percent.String(),
				c.SpecialRight.Answer, c.SpecialRight.LastDay,
			})
		}
		return a.show(found, []string{"MERCHANT", "SINCE", "OLD", "NEW", "CURRENCY", "PERCENT", "RIGHT TO END", "UNTIL"}, rows)
	})
	cmd.Flags().StringVar(&params.Locale, "locale", "", "language and country, such as de-DE")
	cmd.Flags().StringVar(&params.SubscriptionID, "contract", "", "only this contract")
	cmd.Flags().StringVar(&params.NoticeDate, "notice", "", "day of the organization's notice, such as 2026-01-31")
	return a.userFlag(cmd, &user)
}
