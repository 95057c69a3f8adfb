using System;
using System.Linq;
using System.Net.Http;
using System.Threading;
using Aviso.Api;
using Aviso.Client;
using Aviso.Model;
using Newtonsoft.Json;

/// <summary>Connects two people's accounts and reads them with the generated client.</summary>
static class Journey
{
    static readonly Configuration here = new Configuration { BasePath = Environment.GetEnvironmentVariable("BASE_URL") };

    static void Main()
    {
        here.AccessToken = new AuthenticationApi(here)
            .CreateToken("client_credentials", "sandbox", "sandbox-secret").AccessToken;
        var user = new UsersApi(here).CreateUser(new CreateUserRequest("DE", languageCode: "en")).Data.User.UserId;
        Console.WriteLine($"user {user}");
        foreach (var terms in new TermsApi(here).ListTerms().Data.Terms)
        {
            var type = (AcceptTermsRequest.TermsTypeEnum)
                Enum.Parse(typeof(AcceptTermsRequest.TermsTypeEnum), terms.TermsType);
            new TermsApi(here).AcceptTerms(user, new AcceptTermsRequest(type, terms.VarVersion));
        }
        var connection = new[] { "family", "anna" }.Select(persona => Connect($"{user}", persona)).ToList().Last();

        Console.WriteLine($"accounts {new AccountsApi(here).ListAccounts($"{user}").Data.Accounts.Count}");
        var count = 0;
        var sum = 0m;
        string more = null;
        do
        {
            var page = new TransactionsApi(here).ListTransactions($"{user}", limit: 200, nextToken: more);
            count += page.Data.Transactions.Count;
            sum += page.Data.Transactions.Sum(row => row.Amount);
            more = page.Meta.Pagination.NextToken;
        } while (more != null);
        Console.WriteLine($"transactions {count}");
        Console.WriteLine($"sum {sum:F2}");

        try
        {
            new TransactionsApi(here).GetTransaction($"{user}", Guid.NewGuid());
        }
        catch (ApiException refused)
        {
            var problem = JsonConvert.DeserializeObject<Problem>((string)refused.ErrorContent);
            Console.WriteLine($"error {problem.Status} {problem.Code}");
        }

        var later = new Configuration
        {
            BasePath = Environment.GetEnvironmentVariable("FUTURE_URL"), AccessToken = here.AccessToken,
        };
        var state = new ConnectionsApi(later).GetConnection($"{user}", connection).Data.Connection.ConnectionStatus;
        var account = new AccountsApi(later).ListAccounts($"{user}").Data.Accounts[0].AccountType;
        var rows = new TransactionsApi(later).ListTransactions($"{user}", limit: 4).Data.Transactions;
        var amounts = string.Join(" ", rows.Select(row => row.Amount));
        Console.WriteLine($"future {amounts} {state} {account} {rows[0].RecordState}");
    }

    static Guid Connect(string user, string persona)
    {
        var bank = new ProvidersApi(here).ListProviders(providerNameFilter: "linden").Data.Providers[0];
        var request = new CreateConnectionRequest(providerId: bank.Id, returnUrl: "http://localhost:8080/");
        var link = new ConnectionsApi(here).CreateConnection(user, request).Data;
        using (var browser = new HttpClient())
        {
            var approval = Environment.GetEnvironmentVariable("APPROVE_URL") + persona;
            browser.PostAsync(approval, new StringContent(link.RedirectUrl)).Result.EnsureSuccessStatusCode();
        }
        while (new ConnectionsApi(here).GetConnection(user, link.ConnectionId).Data.Connection.LastSuccessAt.Year == 1)
        {
            Thread.Sleep(200);
        }
        return link.ConnectionId;
    }
}
